import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { cyclonedx } from './cyclonedx.mjs';
import { licenceTexts } from './licence-texts.mjs';
import { shippedPackages } from './shipped-packages.mjs';

/** The files beside the bundles that say what ships in them. */
export const SBOM = 'dist/sbom.json';
export const LICENCES = 'dist/THIRD-PARTY-LICENSES.txt';

/**
 * Writes the bill of materials and the licences of what ships. Fails where a licence is not permissive.
 *
 * @param {Iterable<string>} modules the files that were bundled
 */
export function writeShipped(modules) {
  const manifest = readJson('package.json');
  const packages = shippedPackages(modules, manifest, readJson('package-lock.json'));
  writeFileSync(join(root, SBOM), `${JSON.stringify(cyclonedx(manifest, packages))}\n`);
  writeFileSync(join(root, LICENCES), licenceTexts(packages, join(root, 'node_modules')));
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
