import { packingOn } from '../../encodings/packing.js';
import { nodeCallerPlatform } from './node-caller.js';
import { nodeEnginePlatform } from './node-engine.js';
import { nodeFiles } from './node-files.js';

export const { packKey, unpackKey } = packingOn({
  ...nodeEnginePlatform,
  ...nodeFiles,
  locate: nodeCallerPlatform.locate,
  spawnKernel: ({ assets }) => nodeEnginePlatform.spawnKernel(assets),
});
