import { setFlagsFromString } from 'node:v8';

/** The module (module (func (drop (f64x2.relaxed_madd zero zero zero)))), where zero is v128.const 0. */
const zero = [253, 12, ...new Uint8Array(16)];
const body = [0, ...zero, ...zero, ...zero, 253, 135, 2, 26, 11];
const relaxed = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0],
  ...[10, body.length + 2, 1, body.length, ...body],
]);

/**
 * Lets modules that are compiled from now on use relaxed SIMD. Node 20 needs a flag for that, later versions do not.
 */
export function allowRelaxedSimd(): void {
  if (!WebAssembly.validate(relaxed)) setFlagsFromString('--experimental-wasm-relaxed-simd');
}
