import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from './lib/packages.mjs';
import { commandOf, mustRun, root, runMain } from './lib/run.mjs';

/**
 * `npm run build`: the WASM of each curve, the bundles and the types, into dist/. The WASM is built again only where it
 * is older than its sources.
 */
export async function build() {
  const dist = join(root, 'dist');
  const began = Date.now();
  await Promise.all([
    mustRun(process.execPath, [join(root, 'scripts', 'build-wasm.mjs')]),
    bundle(),
    mustRun(process.execPath, [commandOf('typescript', 'tsc'), '-p', 'tsconfig.build.json']),
  ]);
  // The names of shared chunks change with their contents; those of earlier builds go.
  for (const name of readdirSync(dist).filter((file) => /\.js(\.map)?$/.test(file))) {
    if (statSync(join(dist, name)).mtimeMs < began) rmSync(join(dist, name));
  }
  chmodSync(join(dist, 'cli.js'), 0o755);
}

/** Bundles as rolldown.config.ts says; warnings are shown, the list of files is not. */
async function bundle() {
  // Not before set-up: they may only now have been installed.
  const [rolldown, { loadConfig }] = await Promise.all([import('rolldown'), import('rolldown/config')]);
  const configs = /** @type {import('rolldown').RolldownOptions[]} */ (
    await loadConfig(join(root, 'rolldown.config.ts'))
  );
  await rolldown.build(configs.map((config) => ({ ...config, cwd: root })));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    await installPackages();
    await build();
  });
}
