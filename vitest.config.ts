import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtPackage } from './tests/support/built-package.js';
import { failingDownloads } from './tests/support/failing-downloads.js';

/** Imports a .wgsl file as its text, as the build does. */
const wgslAsText: Plugin = {
  name: 'wgsl-as-text',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('.wgsl') ? { code: `export default ${JSON.stringify(code)};`, map: null } : null;
  },
};

/** Headless WebGPU on the software adapter; a Chromium with a real GPU is given its own flags by PIPPIN_CHROMIUM_FLAGS. */
const chromiumFlags = process.env.PIPPIN_CHROMIUM_FLAGS?.split(' ') ?? [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
];

/**
 * Milliseconds after which a test or a hook counts as hanging. It ends what would never end; how fast something must be is
 * for the test itself to say.
 */
const HANG = 15 * 60_000;
/** The same for what is waited for by `expect.poll`: Vitest's second is too little on a busy machine. */
const POLL = { timeout: 2 * 60_000 };

/** A folder for sources as they were transformed, of which `scripts/test.mjs` makes a new one for each run. */
const moduleCache = process.env.PIPPIN_MODULE_CACHE;

/** The tests that use the built package, its command line, its example page or its docs' samples; some of them use WebGPU. */
const PACKAGE_TESTS = 'tests/{sdk,engine,cli,docs,example,campaigns,farm}/**/*.test.ts';
/** Those of the GPU, and those of the SDK that run on each backend: all of them share a device. */
const GPU_TESTS = [
  'tests/executors/gpu/**/*.test.ts',
  'tests/sdk/{constant-work,constant-work-proofs,distinct-bases,msm,msm-batch}.test.ts',
];
/**
 * Those of them that have a process each: they replace modules or built-ins, end workers or processes, look for secrets,
 * or measure their own process. A process for each of the others would take a second to start.
 */
const ALONE_IN_SDK =
  '*secrets*,blame,dead-worker,forgotten-dispose,groth16,late-answers,lockdown,memory,pinned-hash,' +
  'polluted-prototype,snarkjs-alias,split';
const ALONE = `tests/{sdk/{${ALONE_IN_SDK}},campaigns/**/*,engine/{altered-multiples,software-adapter,wrong-gpu}}.test.ts`;
/** Strategies of the literature, which do not ship: `npm run test:research`. */
const RESEARCH_TESTS = 'bench/research/tests/*.test.ts';
const BROWSER_TESTS = 'tests/**/*.browser.test.ts';

/** Vitest begins with the largest files, unless it knows how long they took; this small one takes longest of its project. */
const LONGEST = /\/campaigns\/short\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** A project of tests that run in Node. */
const inNode = (name: string, include: string, ...exclude: string[]) => ({
  extends: true as const,
  test: {
    name,
    include: [include],
    exclude: [BROWSER_TESTS, ...exclude],
    setupFiles: ['tests/support/vulkan.ts', 'tests/support/equal-bytes.ts'],
  },
});

/** Files share a process, and what is made in it once. */
const SHARED = { isolate: false, env: { PIPPIN_SHARED_PROCESS: '1' } };

const packaged = inNode('package', PACKAGE_TESTS, ALONE, ...GPU_TESTS);
const unit = inNode('unit', 'tests/**/*.test.ts', PACKAGE_TESTS, ...GPU_TESTS);

export default defineConfig({
  plugins: [wgslAsText],
  // The sources of what farm/ imports by its name, so that errors are of one class.
  resolve: {
    alias: [
      { find: /^pippin-prover$/, replacement: join(import.meta.dirname, 'sdk/node.ts') },
      { find: /^pippin-prover\/encodings$/, replacement: join(import.meta.dirname, 'sdk/encodings-node.ts') },
    ],
  },
  test: {
    globalSetup: 'tests/support/build-wasm.ts',
    sequence: { sequencer: LongestFirst },
    // Vitest leaves one core free, of the two that a small machine has.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: HANG,
    hookTimeout: HANG,
    teardownTimeout: 60_000,
    expect: { poll: POLL },
    // The projects of one `npm test` transform each source once.
    experimental: moduleCache === undefined ? {} : { fsModuleCache: true, fsModuleCachePath: moduleCache },
    // `scripts/test.mjs` names the projects that `npm test` runs.
    projects: [
      {
        ...unit,
        // To start a process for each file, and to load the sources and snarkjs in it, takes longer than most files.
        test: { ...unit.test, ...SHARED },
      },
      {
        ...packaged,
        test: { ...packaged.test, ...SHARED },
      },
      inNode('alone', ALONE, ...GPU_TESTS),
      {
        extends: true,
        test: {
          name: 'gpu',
          setupFiles: ['tests/support/vulkan.ts', 'tests/support/equal-bytes.ts', 'tests/executors/gpu/lost-device.ts'],
          include: GPU_TESTS,
          // On a software adapter compiling kernels takes nearly all the time: all files run in one process, where they share a device and
          // what was compiled on it (tests/executors/gpu/test-device.ts).
          ...SHARED,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'research',
          setupFiles: ['tests/support/vulkan.ts', 'tests/support/equal-bytes.ts'],
          include: [RESEARCH_TESTS],
          ...SHARED,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        plugins: [builtPackage, failingDownloads],
        optimizeDeps: {
          include: [
            'comlink',
            'idb-keyval',
            '@noble/hashes/sha2.js',
            '@noble/hashes/sha3.js',
            '@noble/curves/abstract/modular.js',
          ],
        },
        test: {
          name: 'browser',
          include: [BROWSER_TESTS],
          browser: {
            enabled: true,
            headless: true,
            connectTimeout: HANG,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env.PIPPIN_CHROMIUM ?? '/usr/bin/chromium',
                args: [
                  '--no-sandbox',
                  '--disable-background-networking',
                  '--disable-component-update',
                  ...chromiumFlags,
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
