export { PippinError, type PippinErrorCode } from './base/errors.js';
export type {
  Beacon,
  BeaconOptions,
  CeremonyOptions,
  CeremonyReport,
  Contribute,
  ContributeOptions,
  ContributionFacts,
  NewKey,
  NewKeyOptions,
  VerifyContributions,
  VerifyContributionsOptions,
} from './ceremony/api.js';
export { beacon, contribute, verifyContributions } from './hosts/page/browser-ceremony.js';
