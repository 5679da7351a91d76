import { homedir } from 'node:os';
import { sep } from 'node:path';
import { SetupError } from '../lib/run.mjs';

/** Folders of people's machines, and URLs of files. */
const ABSOLUTE = /file:\/\/\/|\/(?:home|Users)\/[\w.-]+\/|[A-Za-z]:\\+Users\\+/;

/**
 * Fails if a file of the package names a folder of the machine that built it.
 *
 * @param {string} path of the file in the package
 * @param {Buffer} contents
 * @param {string} folder of the repository
 */
export function checkNoMachinePaths(path, contents, folder) {
  // As Latin-1 no byte is lost, so that folders are found in WASM, too.
  const text = contents.toString('latin1');
  const places = [folder, homedir()].map((place) => `${place.split(sep).join('/').replace(/\/$/, '')}/`);
  const found = places.find((place) => place !== '/' && text.includes(place)) ?? ABSOLUTE.exec(text)?.[0];
  if (found !== undefined) throw new SetupError(`expected no path of a machine in ${path}, got ${found}`);
}
