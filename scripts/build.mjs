import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from './lib/packages.mjs';
import { commandOf, mustRun, root, runMain } from './lib/run.mjs';

/**
 * `npm run build`: the WASM of each curve, the bundles and the types, into dist/. Old bundles go first, since the names
 * of shared chunks change with their contents; the WASM is built again only where it is older than its sources.
 */
export async function build() {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (name === 'types' || /\.js(\.map)?$/.test(name)) rmSync(join(dist, name), { recursive: true });
  }
  await Promise.all([
    mustRun(process.execPath, [join(root, 'scripts', 'build-wasm.mjs')]),
    mustRun(process.execPath, [commandOf('rolldown'), '-c', '--logLevel', 'warn']),
    mustRun(process.execPath, [commandOf('typescript', 'tsc'), '-p', 'tsconfig.build.json']),
  ]);
  chmodSync(join(dist, 'cli.js'), 0o755);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    await installPackages();
    await build();
  });
}
