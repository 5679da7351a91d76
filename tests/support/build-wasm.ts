import { execFileSync } from 'node:child_process';
import { root } from './root.js';

/** Runs once before all tests and builds the curves' WASM where it is older than its sources. */
export default function buildWasm(): void {
  execFileSync(process.execPath, ['scripts/build-wasm.mjs'], { cwd: root, stdio: 'inherit' });
}
