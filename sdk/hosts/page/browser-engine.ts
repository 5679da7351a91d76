import { PippinError } from '../../base/errors.js';
import type { ThreadPlatform } from '../../engine/platform.js';
import { wasmModulesOf } from '../../executors/workers/kernel/wasm-module.js';
import { indexedDbStore } from '../../files/cache/indexeddb-store.js';
import { sha256InScript } from '../../files/cache/sha256.js';
import { packageFile } from '../../transport/script-urls.js';
import { compileBytes, compileFrom, expectWebAssembly } from './compile-wasm.js';
import { builtInWasm } from './generated/wasm-urls.js';

/** The platform of an engine in a browser, without its workers: `workers/coordinator.ts` adds them. */
export const browserEnginePlatform: ThreadPlatform = {
  cacheKind: 'indexeddb',
  threads: globalThis.navigator?.hardwareConcurrency ?? 4,
  async compileWasm(curve, part, { wasm, base }) {
    expectWebAssembly();
    const { fastest: name, plain } = wasmModulesOf(curve, part);
    const given = wasm?.[name] ?? wasm?.[plain];
    if (given instanceof WebAssembly.Module) return given;
    return fetchModule(
      given ?? (base === undefined ? packageFile(builtInWasm(name).href) : new URL(`${name}.wasm`, base)),
    );
  },
  // It lives in a process of the browser.
  gpuEndsAtOnce: true,
  gpuDelayMs: 0,
  async gpu() {
    return globalThis.navigator?.gpu;
  },
  async openStore() {
    return indexedDbStore();
  },
  makeSha256: sha256InScript,
  openFile: undefined,
};

const NETWORK_HINT =
  'is the server up, does it allow this origin (CORS), and does the content security policy (connect-src) allow it?';

/** Compiles during the download if the server sends the right content type, and after it otherwise. */
async function fetchModule(url: string | URL): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new PippinError('IO_FAILED', `expected the WASM at ${url}, got no answer`, {
      cause: error,
      hint: NETWORK_HINT,
    });
  }
  if (!response.ok)
    throw new PippinError('IO_FAILED', `expected the WASM at ${url}, got status ${response.status}`, {
      hint: "the file belongs beside the package's scripts; ProverOptions.assets.wasm takes another place",
    });
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return compileFrom(String(url), () => WebAssembly.compileStreaming(response));
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch (error) {
    throw new PippinError('IO_FAILED', `expected the WASM at ${url}, got a download that broke off`, {
      cause: error,
      hint: 'the answer began and broke off: try again',
    });
  }
  return compileBytes(String(url), new Uint8Array(bytes));
}
