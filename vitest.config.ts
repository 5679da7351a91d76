import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type Plugin } from 'vitest/config';

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

export default defineConfig({
  plugins: [wgslAsText],
  test: {
    globalSetup: 'tests/support/build-wasm.ts',
    // Vitest leaves one core free, of the two that a small machine has.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          setupFiles: ['tests/support/vulkan.ts'],
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.browser.test.ts', 'tests/gpu/**'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          setupFiles: ['tests/support/vulkan.ts'],
          include: ['tests/gpu/**/*.test.ts'],
          // On a software adapter compiling kernels takes nearly all the time: all files run in one process, where they share a device and
          // what was compiled on it (tests/gpu/test-device.ts).
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          // Only to end a hang: how long kernels compile depends on the machine.
          testTimeout: 15 * 60_000,
          hookTimeout: 15 * 60_000,
        },
      },
      {
        extends: true,
        optimizeDeps: { include: ['comlink', 'idb-keyval'] },
        test: {
          name: 'browser',
          include: ['tests/**/*.browser.test.ts'],
          testTimeout: 180_000,
          browser: {
            enabled: true,
            headless: true,
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
