import { loadPart } from '../../base/load-part.js';
import { webSameThreadChannel } from '../../transport/web-same-thread.js';
import type { AliasPlatform } from '../snarkjs-alias/context.js';
import { createProver } from './browser.js';
import { spawnWitness } from './browser-caller.js';
import { describeUrl, locate } from './browser-location.js';

/** What the alias of snarkjs uses in a page. */
export const browserAliasPlatform: AliasPlatform = {
  loadCeremonies: () => loadPart('ceremonies', () => import('./browser-ceremony.js')),
  createProver,
  spawnWitness,
  connectHere: webSameThreadChannel,
  locate,
  describeLocation: describeUrl,
  locationOf: (name) => name,
  openFile: undefined,
  writeFile: undefined,
  fileVersion: undefined,
};
