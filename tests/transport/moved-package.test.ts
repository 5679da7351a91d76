import { describe, expect, it } from 'vitest';
import { isMoved, packageFile } from '../../sdk/transport/script-urls.js';

const PACKAGE = 'http://localhost:5173/node_modules/pippin-prover/dist';

describe('packageFile', () => {
  it.each([
    ['http://localhost:5173/node_modules/.vite/deps/coordinator.js?worker_file&type=module', 'of Vite'],
    [
      'http://localhost:5173/node_modules/.vite/deps_temp_1a2b/coordinator.js?worker_file&type=module',
      'of Vite, at work',
    ],
    ['http://localhost:5173/node_modules/.vite/vitest/1a2b/deps/coordinator.js?worker_file&type=module', 'of Vitest'],
    ['http://localhost:5173/node_modules/.cache/vite/client/deps/coordinator.js?worker_file&type=module', 'in a cache'],
    ['http://localhost:5173/.vite/deps/coordinator.js?worker_file&type=module', 'without node_modules'],
  ])('is the one in the package, for %s (a folder %s)', (url) => {
    expect(isMoved(url)).toBe(true);
    expect(packageFile(url)).toBe(`${PACKAGE}/coordinator.js?worker_file&type=module`);
  });

  it('keeps the folder that the server has as its base', () => {
    const url = 'https://wallet.example/app/node_modules/.vite/deps/bn254.wasm';
    expect(packageFile(url)).toBe('https://wallet.example/app/node_modules/pippin-prover/dist/bn254.wasm');
  });

  it.each([
    `${PACKAGE}/coordinator.js`,
    'http://localhost:5173/@fs/repo/node_modules/.pnpm/pippin-prover@0.1.0/node_modules/pippin-prover/dist/kernel.js',
    'https://wallet.example/assets/deps/kernel.js',
    'blob:https://wallet.example/1234',
  ])('is %s itself', (url) => {
    expect(isMoved(url)).toBe(false);
    expect(packageFile(url)).toBe(url);
  });
});
