import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { fastTests } from './scripts/lib/fast-tests.mjs';
import { wgslAsText } from './scripts/lib/wgsl.mjs';

/** `npm run test:fast`: at most a minute on two cores, and nothing is built for it. The files are also in the projects of vitest.config.ts. */
export default defineConfig({
  plugins: [wgslAsText],
  test: {
    // As in vitest.config.ts, a limit only ends what hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    name: 'fast',
    include: fastTests(),
    setupFiles: ['tests/support/equal-bytes.ts'],
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
