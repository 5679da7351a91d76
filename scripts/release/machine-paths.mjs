import { homedir } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { SetupError } from '../lib/run.mjs';

/** Folders of people's machines, and URLs of files. */
const ABSOLUTE = /file:\/\/\/|\/(?:home|Users)\/[\w.-]+\/|[A-Za-z]:\\+Users\\+/;

/**
 * Fails if a file of the package names a place on the machine that built it: its folders, or, in a source map, a source outside of the
 * repository.
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
  if (path.endsWith('.map')) checkSources(path, JSON.parse(contents.toString('utf8')), folder);
}

/**
 * @param {string} path
 * @param {{ sources: string[], sourceRoot?: string }} map
 * @param {string} folder
 */
function checkSources(path, { sources, sourceRoot }, folder) {
  if (sourceRoot) throw new SetupError(`expected no sourceRoot in ${path}, got ${sourceRoot}`);
  const foreign = sources.find(
    (source) => isAbsolute(source) || relative(folder, resolve(folder, path, '..', source)).startsWith('..'),
  );
  if (foreign !== undefined) throw new SetupError(`expected sources within the repository in ${path}, got ${foreign}`);
}
