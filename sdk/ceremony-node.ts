export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './ceremony/api.js';
export type * from './ceremony/powers/api.js';
export type * from './ceremony/universal/api.js';
export {
  addBeaconToPowersOfTau,
  beacon,
  contribute,
  contributeBellman,
  contributeToPowersOfTau,
  convertPowersOfTau,
  describeKey,
  exportBellman,
  exportChallenge,
  importBellman,
  importResponse,
  newKey,
  newPowersOfTau,
  newUniversalKey,
  powersOfTauToJson,
  preparePowersOfTau,
  respondToChallenge,
  truncatePowersOfTau,
  verifyContributions,
  verifyPowersOfTau,
} from './hosts/node/node-ceremony.js';
