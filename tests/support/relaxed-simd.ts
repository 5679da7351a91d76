import { setFlagsFromString } from 'node:v8';

/** (module (func (drop (f64x2.relaxed_madd zero zero zero)))), zero being v128.const 0. */
const zero = [253, 12, ...new Uint8Array(16)];
const body = [0, ...zero, ...zero, ...zero, 253, 135, 2, 26, 11];
const relaxed = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0],
  ...[10, body.length + 2, 1, body.length, ...body],
]);

/** Node 20 has relaxed SIMD behind a flag, later ones without; what is compiled from here on may use it. */
export function allowRelaxedSimd(): void {
  if (!WebAssembly.validate(relaxed)) setFlagsFromString('--experimental-wasm-relaxed-simd');
}
