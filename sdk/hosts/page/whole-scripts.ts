import type { Prover, ProverOptions, WasmModuleName } from '../../api/index.js';
import { workerScript } from '../../transport/trusted-scripts.js';
import { MODULES } from '../prover/asset-places.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import { createProverOn } from '../prover/prover.js';
import { browserCallerPlatform } from './browser-caller.js';
import { builtInWasm } from './generated/wasm-urls.js';

/**
 * The platform of a page whose workers find no files by themselves. Parcel gives files their places by the page's
 * import map, which workers do not have: they start from the classic scripts, which hold all they need, and the page
 * tells them where the WASM lies.
 */
const platform: CallerPlatform = {
  ...browserCallerPlatform,
  get assets() {
    return {
      coordinator: script(new URL('./classic/pippin.js', import.meta.url), '#coordinator'),
      kernel: script(new URL('./classic/kernel.js', import.meta.url)),
      witness: script(new URL('./classic/witness.js', import.meta.url)),
      wasm: Object.fromEntries(MODULES.map((name) => [name, builtInWasm(name as WasmModuleName)])),
    };
  },
};

/** Starts a prover in a page, as `createProver` of the other entries does. */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(platform, options);
}

function script(url: URL, fragment = ''): string {
  return workerScript(url.href + fragment, true);
}
