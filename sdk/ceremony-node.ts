export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './ceremony/api.js';
export type * from './ceremony/powers/api.js';
export {
  addBeaconToPowersOfTau,
  beacon,
  contribute,
  contributeBellman,
  contributeToPowersOfTau,
  exportBellman,
  exportChallenge,
  importBellman,
  importResponse,
  newKey,
  newPowersOfTau,
  preparePowersOfTau,
  respondToChallenge,
  truncatePowersOfTau,
  verifyContributions,
  verifyPowersOfTau,
} from './hosts/node/node-ceremony.js';
