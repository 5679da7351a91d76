import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root, runMain, SetupError } from './lib/run.mjs';
import { ARTIFACTS, writeArtifacts } from './release/artifacts.mjs';
import { audit } from './release/audit.mjs';
import { releaseChangelog } from './release/changelog.mjs';
import { checkPackage } from './release/check-package.mjs';
import { checkSameBytes } from './release/same-bytes.mjs';
import { checkVersion, setLockVersion, setManifestVersion } from './release/version.mjs';

/**
 * `npm run release -- VERSION [--dry-run]`: checks that the working tree is clean, that the version may follow the
 * present one and that the changelog tells of it; runs all tests (`npm run test:all`), builds twice, and checks what
 * the packages would hold and whether faults of the packages are known. Then it writes the version to package.json,
 * that of pippin-farm, package-lock.json and CHANGELOG.md, makes the tarballs, their checksums, the docs and the demo
 * in build/release, commits, and tags the commit. It neither pushes nor publishes. With `--dry-run` it writes nothing.
 *
 * `npm run release -- --check`: builds and checks the package alone, at any time. `npm run release -- --artifacts`:
 * makes build/release of the present version.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--check')) {
    await checkBuild();
    return;
  }
  if (args.includes('--artifacts')) {
    await writeArtifacts();
    console.log(`The release is in ${ARTIFACTS}.`);
    return;
  }
  const dryRun = args.includes('--dry-run');
  const version = args.find((argument) => !argument.startsWith('--'));
  const manifest = read('package.json');
  checkVersion(version, JSON.parse(manifest).version);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new SetupError(`expected a new version, got ${version}: ${tag} is there`);
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new SetupError(`expected a clean working tree, got\n${changes}`);
  // Before the tests, which take minutes.
  const changelog = releaseChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));

  await mustRun(process.execPath, [join(root, 'scripts', 'test.mjs'), '--all']);
  await checkBuild();
  const written = git('status', '--porcelain');
  if (written !== '') throw new SetupError(`expected tests and build to leave the working tree clean, got\n${written}`);

  if (dryRun) {
    console.log(`${version} can be released; nothing was written.`);
    return;
  }
  const files = {
    'package.json': setManifestVersion(manifest, version),
    'farm/package.json': setManifestVersion(read('farm/package.json'), version),
    'package-lock.json': setLockVersion(read('package-lock.json'), version),
    'CHANGELOG.md': changelog,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  await writeArtifacts();
  git('commit', '--quiet', '--message', `Release ${version}`, ...Object.keys(files));
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  console.log(
    `Committed and tagged ${tag}; tarballs, checksums, docs and demo are in ${ARTIFACTS}. To publish it:\n  git push --follow-tags\n  npm publish\n  npm publish --workspace farm`,
  );
});

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** Builds from nothing, and checks the package, a second build and the packages. */
async function checkBuild() {
  await mustRun(process.execPath, [join(root, 'scripts', 'prepack.mjs')]);
  console.log(checkPackage());
  console.log(checkPackage('farm'));
  await checkSameBytes();
  console.log('A second build gave the same bytes.');
  console.log(audit());
}
