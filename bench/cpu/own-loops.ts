import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import { bn254, type CurveId } from '../../sdk/curves/index.js';
import { type AssemblyExports, assemble } from '../../tests/support/assembly.js';
import type { ProductLoop } from './product-loop.js';

const LOOP = `
export function heapBase(): usize { return __heap_base; }
export function size(): usize { return the<F>().size; }
export function products(r: usize, a: usize, b: usize, end: usize): void {
  const f = the<F>();
  for (; r < end; r += f.size) {
    f.mul(r, a, b);
    a += f.size;
    b += f.size;
  }
}`;

/** Our product on limbs in i64, in a loop over arrays. It is compiled as the shipped modules are. */
export async function i64Loop(curve: CurveId, bytes: number, count: number): Promise<ProductLoop> {
  const wasm = await assemble(
    'bench-i64',
    `import { the } from './field/field';
import { Fq as F } from './generated/${curve}-fq';
${LOOP}
export function put(r: usize, source: usize): void { the<F>().loadCanonical(r, source); }
export function get(target: usize, a: usize): void { the<F>().storeCanonical(target, a); }`,
  );
  const { r, a, b, size, staged } = layOut(wasm, count);
  const put = (at: number, value: bigint): void => {
    new Uint8Array(wasm.memory.buffer).set(bigintToBytes(value, bytes), staged);
    wasm.put!(at, staged);
  };
  return {
    load: (i, x, y) => {
      put(a + i * size, x);
      put(b + i * size, y);
    },
    run: () => wasm.products!(r, a, b, r + count * size),
    result: (i) => {
      wasm.get!(staged, r + i * size);
      return { value: bytesToBigint(new Uint8Array(wasm.memory.buffer), staged, bytes), r: 1n };
    },
  };
}

/** The files and features of the classes that have two elements in lanes. */
const LANES = {
  FqLanes: { file: 'fq-lanes', features: ['simd', 'relaxed-simd'] },
  FqIntegerLanes: { file: 'fq-integer-lanes', features: ['simd'] },
} as const;

/** Our product in lanes, two at once: elements 2 k and 2 k + 1 share a vector. `FqLanes` needs relaxed SIMD. */
export async function lanesLoop(name: keyof typeof LANES, count: number): Promise<ProductLoop> {
  const { file, features } = LANES[name];
  const wasm = await assemble(
    'bench-lanes',
    `import { the } from './field/field';
import { ${name} as F } from './generated/bn254-${file}';
${LOOP}
export function put(r: usize, x: usize, y: usize): void { the<F>().loadPacked(r, x, y); }
export function get(x: usize, y: usize, a: usize): void { the<F>().reduce(a, a); the<F>().storePacked(x, y, a); }`,
    features,
  );
  const { r, a, b, size, staged } = layOut(wasm, count / 2);
  const bytes = bn254.coordinateBytes;
  const radix = 1n << 260n;
  /** The addresses from which a pair of packed elements is loaded, and to which it is stored. */
  const places = [staged, staged + bytes] as const;
  const put = (at: number, i: number, value: bigint): void => {
    const memory = new Uint8Array(wasm.memory.buffer);
    wasm.get!(...places, at);
    memory.set(bigintToBytes((value * radix) % bn254.fq.modulus, bytes), places[i % 2 === 0 ? 0 : 1]);
    wasm.put!(at, ...places);
  };
  return {
    load: (i, x, y) => {
      put(a + (i >> 1) * size, i, x);
      put(b + (i >> 1) * size, i, y);
    },
    run: () => wasm.products!(r, a, b, r + (count / 2) * size),
    result: (i) => {
      wasm.get!(...places, r + (i >> 1) * size);
      const memory = new Uint8Array(wasm.memory.buffer);
      return { value: bytesToBigint(memory, places[i % 2 === 0 ? 0 : 1], bytes), r: radix };
    },
  };
}

/** Makes room for three arrays of `count` elements or vectors and for two packed elements. Gives their addresses. */
function layOut(wasm: AssemblyExports, count: number) {
  const size = wasm.size!();
  const start = Math.ceil(wasm.heapBase!() / 16) * 16;
  const staged = start + 3 * count * size;
  const missing = staged + 256 - wasm.memory.buffer.byteLength;
  if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65536));
  return { r: start, a: start + count * size, b: start + 2 * count * size, size, staged };
}
