import { relative } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain } from './lib/run.mjs';
import { buildExtension, extensionDist } from './lib/wallet-extension.mjs';

/** `npm run example:extension`: builds the package and the example wallet, in a folder for each browser. */
await runMain(async () => {
  await installPackages();
  console.log('Building the package and the extension ...');
  await build();
  await buildExtension();
  console.log(`
Chromium, Chrome, Edge: chrome://extensions, Developer mode, Load unpacked: ${relative(root, extensionDist('chromium'))}
Firefox: about:debugging, This Firefox, Load Temporary Add-on: ${relative(root, extensionDist('firefox'))}/manifest.json`);
});
