import { readFile } from 'node:fs/promises';
import { spend } from './spend.js';

const json = async (path) => JSON.parse(await readFile(path, 'utf8'));

/** Spends the note of the key in the folder `key`. */
export async function spendFromFiles() {
  const inputs = await json('key/input.json');
  const verificationKey = await json('key/note.vkey.json');
  return spend({ zkey: 'key/note.zkey', wasm: 'key/note.wasm', inputs, verificationKey });
}
