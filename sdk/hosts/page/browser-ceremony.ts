import { bellmanOn } from '../../ceremony/bellman/bellman.js';
import { type CeremonyPlatform, ceremonyOn } from '../../ceremony/ceremony.js';
import { newBlake2b } from '../../ceremony/contributions.js';
import { powersOfTauOn } from '../../ceremony/powers/powers-of-tau.js';
import { universalKeysOn } from '../../ceremony/universal/universal-keys.js';
import { spawnKernel } from './browser-caller.js';
import { browserEnginePlatform } from './browser-engine.js';
import { describeUrl, locate } from './browser-location.js';

/** What a ceremony uses in a page. */
const browserCeremonyPlatform: CeremonyPlatform = {
  ...browserEnginePlatform,
  describeLocation: describeUrl,
  locate,
  spawnKernel,
  newHash: newBlake2b,
  createFile: undefined,
};

export const { newKey, contribute, beacon, verifyContributions, describeKey } = ceremonyOn(browserCeremonyPlatform);
export const { exportBellman, contributeBellman, importBellman } = bellmanOn(browserCeremonyPlatform);
export const {
  newPowersOfTau,
  contributeToPowersOfTau,
  addBeaconToPowersOfTau,
  verifyPowersOfTau,
  preparePowersOfTau,
  convertPowersOfTau,
  powersOfTauToJson,
  truncatePowersOfTau,
  exportChallenge,
  respondToChallenge,
  importResponse,
} = powersOfTauOn(browserCeremonyPlatform);
export const { newUniversalKey } = universalKeysOn(browserCeremonyPlatform);
