import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { SetupError } from './run.mjs';

const NAMES = ['firefox-esr', 'firefox'];

/** The Firefox to drive: the one that PIPPIN_FIREFOX names, or one on the path. On Debian it is installed for root where there is none. */
export async function requireFirefox() {
  const named = process.env.PIPPIN_FIREFOX;
  if (named) {
    if (!isFile(named)) throw new SetupError(`expected a Firefox at PIPPIN_FIREFOX, got no file at ${named}`);
    return named;
  }
  if (findFirefox() === undefined && canInstall()) await installDebianPackages(['firefox-esr']);
  const found = findFirefox();
  if (found !== undefined) return found;
  const command = installCommand(['firefox-esr']);
  throw new SetupError(
    `No Firefox found. Install it (Debian: \`${command}\`), or name one: PIPPIN_FIREFOX=/path/to/firefox`,
  );
}

function findFirefox() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isFile);
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
