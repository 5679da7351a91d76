import type { AliasPlatform } from '../snarkjs-alias/alias-platform.js';
import { createProver } from './browser.js';
import { describeUrl } from './browser-location.js';

/** What the alias of snarkjs uses in a page. */
export const browserAliasPlatform: AliasPlatform = {
  createProver,
  describeLocation: describeUrl,
  locationOf: (name) => name,
  openFile: undefined,
  writeFile: undefined,
  fileVersion: undefined,
};
