import { join } from 'node:path';
import { build } from './build.mjs';
import { root, run, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { wgslAsText } from './lib/wgsl.mjs';

/**
 * `npm run campaign -- NAME [--tier wasm|webgpu] [--seed N] [--cases N] [--first N] [--minutes N] [--json F]`: builds, and runs cases of a campaign of
 * tests/campaigns, each drawn from the seed and its own number. Each failure is printed with the command that repeats it, and the process
 * then ends with 1. Without `--cases` it is a full run, which may take hours. docs/reliability.md has the results.
 *
 * The campaigns are bundled to build/campaign: with dist/ and build/test-circuits beside it, main.mjs runs on a machine without packages.
 */

/** Packages that are not bundled but loaded at run time: native ones, ones that load scripts of their own, and ones that we may not copy. */
const EXTERNAL = [
  ...[/^node:/, 'webgpu', 'snarkjs', 'ffjavascript', 'playwright-core', 'assemblyscript/asc', 'circom2'],
  ...['bullmq', 'ioredis', 'libsodium-wrappers', 'fastify', /^@fastify\//, 'prom-client', /^@bull-board\//],
];

await runMain(async () => {
  const { env } = await setUp();
  await build();
  const folder = join(root, 'build', 'campaign');
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: join(root, 'tests', 'campaigns', 'main.ts'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [wgslAsText],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  // The collector is called where memory is measured.
  return run(process.execPath, ['--expose-gc', join(folder, 'main.mjs'), ...process.argv.slice(2)], { env });
});
