import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from './lib/packages.mjs';
import { commandOf, mustRun, root, runMain } from './lib/run.mjs';
import { writePageFiles } from './shipped/page-files.mjs';
import { writeShipped } from './shipped/write-shipped.mjs';

/**
 * `npm run build`: the WASM of each curve, the bundles, the types, the bill of materials and the licences of what
 * ships, into dist/, and pippin-farm into farm/dist/. The WASM is built again only where it is older than its sources.
 */
export async function build() {
  const [dist, farm] = [join(root, 'dist'), join(root, 'farm')];
  const began = Date.now();
  const [{ modules, pageScripts }] = await Promise.all([
    declareTypes().then(() => bundle()),
    mustRun(process.execPath, [join(root, 'scripts', 'build-wasm.mjs')]),
  ]);
  for (const folder of [dist, join(farm, 'dist')]) removeOlder(folder, began);
  chmodSync(join(dist, 'cli.js'), 0o755);
  writePageFiles(pageScripts);
  writeShipped(modules);
}

/**
 * Builds what a page of one curve needs, which takes a few seconds: neither types, nor what Node and the farm run, nor
 * other curves.
 *
 * @param {string} curve
 */
export async function buildForPage(curve) {
  await Promise.all([
    bundle((configs) => configs.slice(0, 1)),
    mustRun(process.execPath, [join(root, 'scripts', 'build-wasm.mjs'), curve]),
  ]);
}

/**
 * Writes the declarations of each source to build/declarations, for the bundles of types. Whether the types are right is
 * for `npm run typecheck`. In one program with the farm, types of the SDK would be named as the farm exports them.
 */
async function declareTypes() {
  for (const config of ['tsconfig.build.json', 'farm/tsconfig.build.json']) {
    await mustRun(process.execPath, [commandOf('typescript-7', 'tsc'), '-p', config]);
  }
}

/**
 * Removes scripts and types of earlier builds: the names of shared chunks change with their contents. @param {string}
 * folder @param {number} began
 */
function removeOlder(folder, began) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|js\.map|d\.ts)$/.test(file),
  )) {
    if (statSync(join(folder, name)).mtimeMs < began) rmSync(join(folder, name));
  }
}

/**
 * Bundles as rolldown.config.ts says, and gives the files that were bundled, and the scripts for a page that came of
 * them. Warnings are shown, the list of files is not.
 *
 * @param {(configs: import('rolldown').RolldownOptions[]) => import('rolldown').RolldownOptions[]} choose some of the
 * bundles; what a page loads is the first
 */
async function bundle(choose = (configs) => configs) {
  // Not before set-up: they may only now have been installed.
  const [rolldown, { loadConfig }] = await Promise.all([import('rolldown'), import('rolldown/config')]);
  const configs = /** @type {import('rolldown').RolldownOptions[]} */ (
    await loadConfig(join(root, 'rolldown.config.ts'))
  );
  const outputs = await rolldown.build(choose(configs).map((config) => ({ ...config, cwd: root })));
  const chunks = outputs.map(({ output }) => output.filter((file) => file.type === 'chunk'));
  return {
    modules: chunks.flat().flatMap(({ moduleIds }) => moduleIds),
    pageScripts: (chunks[0] ?? []).map(({ fileName }) => fileName),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    await installPackages();
    await build();
  });
}
