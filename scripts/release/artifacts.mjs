import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExample, exampleDist } from '../lib/example.mjs';
import { mustRun, root } from '../lib/run.mjs';
import { SBOM } from '../shipped/write-shipped.mjs';
import { npm } from './npm.mjs';

/** What a release consists of beside the commit. */
export const ARTIFACTS = join('build', 'release');

/**
 * Writes all that is published or hosted for the present version into build/release: the tarballs of both packages as
 * `npm publish` makes them, the bill of materials, `SHA256SUMS` of these, and the docs and the demo as folders for any
 * static server.
 */
export async function writeArtifacts() {
  const folder = join(root, ARTIFACTS);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The first one builds, so that the bill of materials names this version; the second packs the same build.
  npm(['pack', '--pack-destination', folder]);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder, '--workspace', 'farm']);
  cpSync(join(root, SBOM), join(folder, 'sbom.json'));
  writeFileSync(join(folder, 'SHA256SUMS'), sha256Sums(folder));
  await mustRun(process.execPath, [join(root, 'scripts', 'docs.mjs')]);
  cpSync(join(root, 'build', 'docs'), join(folder, 'docs'), { recursive: true });
  await buildExample();
  cpSync(exampleDist, join(folder, 'demo'), { recursive: true });
}

/**
 * The SHA-256 of each file that lies in a folder itself, in the form that `sha256sum --check` reads. @param {string}
 * folder
 */
export function sha256Sums(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = files
    .map(({ name }) => name)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  return lines.join('');
}
