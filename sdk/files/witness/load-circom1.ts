import { laterPart } from '../../base/load-part.js';

/** Whether a circuit's WASM is circom 1's. */
export function isCircom1(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.exports(module).some(({ name }) => name === 'getSignalOffset32');
}

/** What runs circuits of circom 1, of which there are few. `IO_FAILED` if the script cannot be loaded. */
export const loadCircom1 = laterPart('circuits of circom 1', () => import('./circom1.js'));
