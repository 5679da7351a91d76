import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain } from './lib/run.mjs';

/**
 * npm runs this before it packs or publishes. The build starts from an empty dist/, so that the package holds nothing
 * of files that were moved or removed since an earlier build.
 */
await runMain(async () => {
  await installPackages();
  for (const folder of ['dist', 'farm/dist']) rmSync(join(root, folder), { recursive: true, force: true });
  await build();
});
