export { PippinError, type PippinErrorCode } from './base/errors.js';
export type * from './ceremony/api.js';
export type * from './ceremony/powers/api.js';
export type * from './ceremony/universal/api.js';
export {
  addBeaconToPowersOfTau,
  beacon,
  contribute,
  contributeToPowersOfTau,
  describeKey,
  newKey,
  newPowersOfTau,
  newUniversalKey,
  preparePowersOfTau,
  verifyContributions,
  verifyPowersOfTau,
} from './hosts/node/node-ceremony.js';
