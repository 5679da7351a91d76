import { packingOn } from '../../encodings/packing.js';
import { spawnKernel } from './browser-caller.js';
import { browserEnginePlatform } from './browser-engine.js';
import { describeUrl, locate } from './browser-location.js';

/** Packed keys in a page, whose code is downloaded with the first of these calls. */
export const { packKey, unpackKey } = packingOn({
  ...browserEnginePlatform,
  describeLocation: describeUrl,
  locate,
  spawnKernel,
});
