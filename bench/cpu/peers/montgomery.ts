import { montgomeryParams } from 'montgomery-source/bigint/field-util.js';
import { startThreads, stopThreads, Weierstraß } from 'montgomery-source/parallel.js';
import { multiplyMontgomery } from 'montgomery-source/wasm/multiply-montgomery.js';
import { br_if, call, func, i32, local, loop, Module, memory } from 'wasmati';
import { bytesToBigint, writeBigint } from '../../../sdk/base/bytes.js';
import { ENDOMORPHISMS } from '../../../sdk/curves/endomorphisms.js';
import { type CurveParameters, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import type { KnownPoints } from '../../lib/points.js';
import type { ProductLoop } from '../product-loop.js';
import type { MontgomeryMultiplication } from './montgomery-api.js';

export { startThreads, stopThreads };

/** Bits of a limb on montgomery's curves. */
const LIMB_BITS = 29;

/** montgomery's product, called by a loop in WASM. */
export async function productLoop(p: bigint, count: number): Promise<ProductLoop> {
  const { n, R } = montgomeryParams(p, LIMB_BITS);
  const { multiply } = multiplyMontgomery(p, LIMB_BITS, n, { countMultiplications: false });
  const size = 4 * n;
  const products = func({ in: [i32, i32, i32, i32], out: [] }, ([r, a, b, end]) => {
    loop({}, () => {
      call(multiply, [r, a, b]);
      for (const at of [r, a, b]) {
        i32.add(at, size);
        local.set(at);
      }
      local.get(r);
      local.get(end);
      i32.ne();
      br_if(0);
    });
  });
  const pages = Math.ceil((3 * count * size) / 65536);
  const module = Module({ exports: { products, memory: memory({ min: pages }) } });
  const { instance } = await module.instantiate();
  const exports = instance.exports as unknown as {
    products(r: number, a: number, b: number, end: number): void;
    memory: WebAssembly.Memory;
  };
  const words = new Uint32Array(exports.memory.buffer);
  const [r, a, b] = [0, count * size, 2 * count * size] as const;
  const mask = (1n << BigInt(LIMB_BITS)) - 1n;
  const put = (at: number, value: bigint): void => {
    for (let i = 0; i < n; i++) words[at / 4 + i] = Number((value >> BigInt(LIMB_BITS * i)) & mask);
  };
  return {
    load: (i, x, y) => {
      put(a + i * size, (x * R) % p);
      put(b + i * size, (y * R) % p);
    },
    run: () => exports.products(r, a, b, r + count * size),
    result: (i) => {
      let value = 0n;
      for (let k = n - 1; k >= 0; k--) value = (value << BigInt(LIMB_BITS)) + BigInt(words[(r + i * size) / 4 + k]!);
      return { value, r: R };
    },
  };
}

/**
 * montgomery's multiplication by batched affine additions, in the variant that is also right for equal and opposite
 * points.
 */
export async function multiplication(curve: CurveParameters, points: KnownPoints): Promise<MontgomeryMultiplication> {
  const { Field, Scalar, Affine, Projective, Parallel } = await Weierstraß.create({
    label: curve.id,
    modulus: curve.fq.modulus,
    order: curve.fr.modulus,
    cofactor: curve.g1.cofactor,
    a: 0n,
    b: curve.g1.b,
    generator: { x: curve.g1.generator[0], y: curve.g1.generator[1] },
    endomorphism: ENDOMORPHISMS[curve.id]!,
  });
  const bytes = curve.coordinateBytes;
  const count = points.bytes.length / (2 * bytes);
  const pointsAt = await Parallel.getPointer(count * Affine.size);
  const scalarsAt = await Parallel.getScalarPointer(count * Scalar.sizeField);
  const resultAt = await Parallel.getPointer(Affine.size);
  const scratch = Field.local.getPointers(10);
  for (let i = 0; i < count; i++) {
    const [x, y] = [0, bytes].map((offset) => bytesToBigint(points.bytes, 2 * i * bytes + offset, bytes)) as [
      bigint,
      bigint,
    ];
    Affine.writeBigint(pointsAt + i * Affine.size, { x, y, isZero: false });
  }
  return {
    setScalars: (scalars) => {
      for (let i = 0; i < count; i++) {
        const scalar = bytesToBigint(scalars, i * SCALAR_BYTES, SCALAR_BYTES);
        Scalar.writeBigint(scalarsAt + i * Scalar.sizeField, scalar);
      }
    },
    multiply: async () => {
      const { result } = await Parallel.msm(scalarsAt, pointsAt, count);
      Projective.toAffine(scratch, resultAt, result);
      const { x, y, isZero } = Affine.toBigint(resultAt);
      const sum = new Uint8Array(2 * bytes);
      if (isZero) return sum;
      writeBigint(sum, 0, bytes, x);
      writeBigint(sum, bytes, bytes, y);
      return sum;
    },
  };
}
