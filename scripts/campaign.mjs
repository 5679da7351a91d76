import { join } from 'node:path';
import { build } from './build.mjs';
import { needRedis } from './lib/redis.mjs';
import { root, run, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { wgslAsText } from './lib/wgsl.mjs';

/**
 * `npm run campaign -- NAME [--tier wasm|webgpu] [--seed N] [--cases N] [--first N] [--minutes N] [--json F]`: builds,
 * and runs cases of a campaign of tests/campaigns, each drawn from the seed and its own number. Each failure is printed
 * with the command that repeats it, and the process then ends with 1. Without `--cases` it is a full run, which may
 * take hours. docs/reliability.md has the results.
 *
 * The campaigns are bundled to build/campaign: with dist/ and build/test-circuits beside it, main.mjs runs on a machine
 * without packages. Campaign `mutants` runs the tests, and needs the sources and packages.
 */

/**
 * Packages that are not bundled but loaded at run time: native ones, ones that load scripts of their own, and ones that
 * we may not copy.
 */
const EXTERNAL = [
  ...[/^node:/, 'webgpu', 'snarkjs', 'ffjavascript', 'playwright-core', 'assemblyscript/asc', 'circom2', 'typescript'],
  ...['bullmq', 'ioredis', 'libsodium-wrappers', 'fastify', /^@fastify\//, 'prom-client', /^@bull-board\//],
];

/**
 * Options of V8 by which memory can be measured: the collector can be called, and a thread has 1 MB of room for new
 * objects in each half of its young generation. V8 makes that room larger by and by, to 134 MB in all with Node 24,
 * whether or not objects stay.
 */
const MEASURED_MEMORY = ['--expose-gc', '--max-semi-space-size=1'];

await runMain(async () => {
  const { env } = await setUp();
  if (process.argv.includes('farm-chaos')) await needRedis();
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
  return run(process.execPath, [...MEASURED_MEMORY, join(folder, 'main.mjs'), ...process.argv.slice(2)], { env });
});
