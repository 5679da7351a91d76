import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asPippinError } from '../../base/errors.js';
import { nodeSameThreadChannel } from '../../transport/node-same-thread.js';
import { openPathOrBlob } from '../../transport/served-blob.js';
import type { AliasPlatform } from '../snarkjs-alias/context.js';
import { createProver } from './node.js';
import { nodeCallerPlatform } from './node-caller.js';
import * as ceremonies from './node-ceremony.js';
import { nodeEnginePlatform } from './node-engine.js';
import { describeHere } from './node-files.js';

/** What the alias of snarkjs uses in Node. */
export const nodeAliasPlatform: AliasPlatform = {
  loadCeremonies: async () => ceremonies,
  createProver,
  spawnWitness: ({ assets }) => nodeEnginePlatform.spawnWitness(assets),
  connectHere: nodeSameThreadChannel,
  locate: nodeCallerPlatform.locate,
  describeLocation: describeHere,
  locationOf: (name) => resolve(name),
  openFile: openPathOrBlob,
  async writeFile(path, bytes) {
    try {
      // A witness tells the inputs: a new file is for its owner alone.
      await writeFile(path, bytes, { mode: 0o600 });
    } catch (error) {
      throw asPippinError(error, 'IO_FAILED', `expected to write ${path}, got`);
    }
  },
  async fileVersion(path) {
    try {
      const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
      return { bytes: Number(size), version: `${dev} ${ino} ${size} ${mtimeNs}` };
    } catch (error) {
      throw asPippinError(error, 'IO_FAILED', `expected to read the file ${path}, got`, hintFor(path));
    }
  },
};

/** What to do about the path that a web address becomes, if it is one. */
function hintFor(path: string): string | undefined {
  const isAddress = /\bhttps?:[\\/]/.test(path);
  return isAddress
    ? "a string is a path in Node, as in snarkjs: give an address as a URL, new URL('https://...')"
    : undefined;
}
