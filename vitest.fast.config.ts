import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { fastTests } from './scripts/lib/fast-tests.mjs';
import { wgslAsText } from './scripts/lib/wgsl.mjs';

/**
 * `npm run test:fast`: at most a minute on two cores, and nothing is built for it. The files are also in the projects
 * of vitest.config.ts.
 */
export default defineConfig({
  plugins: [wgslAsText],
  // The sources of what the hooks import by its name.
  resolve: { alias: [{ find: /^pippin-prover$/, replacement: join(import.meta.dirname, 'sdk/node.ts') }] },
  test: {
    // As in vitest.config.ts, a limit only ends what hangs.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    name: 'fast',
    include: fastTests(),
    setupFiles: ['tests/support/equal-bytes.ts'],
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
