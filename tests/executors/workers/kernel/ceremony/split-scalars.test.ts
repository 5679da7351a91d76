import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../../../sdk/base/bytes.js';
import { ENDOMORPHISMS } from '../../../../../sdk/curves/endomorphisms.js';
import { CURVES, SCALAR_BYTES } from '../../../../../sdk/curves/index.js';
import { mod, power } from '../../../../../sdk/curves/modular.js';
import type { Kernel } from '../../../../../sdk/executors/workers/kernel/kernel.js';
import { Random } from '../../../../support/random.js';
import { compileWasm, loadKernel } from '../../../../support/wasm.js';

/** The number whose digits, each plus 8, are the windows of 4 bits of half a scalar. */
function halfAt(halves: Uint8Array, at: number): bigint {
  let half = 0n;
  for (let i = 15; i >= 0; i--) {
    const byte = halves[at + i]!;
    half = half * 256n + BigInt(((byte >> 4) - 8) * 16 + ((byte & 15) - 8));
  }
  return half;
}

describe.each(['bn254', 'bls12-381'] as const)('scalars in halves, %s', (curve) => {
  const r = CURVES[curve].fr.modulus;
  const { lambda } = ENDOMORPHISMS[curve]!;
  let kernel: Kernel;
  let elements: WebAssembly.Module;
  beforeAll(async () => {
    kernel = await loadKernel(curve, curve);
    elements = await compileWasm(`${curve}-elements`);
  });

  const scalarsOf = (halves: Uint8Array): bigint[] =>
    Array.from({ length: halves.length / SCALAR_BYTES }, (_, i) => {
      const [first, second] = [halfAt(halves, i * SCALAR_BYTES), halfAt(halves, i * SCALAR_BYTES + 16)];
      for (const half of [first, second]) expect(half < 1n << 127n && half > -(1n << 127n)).toBe(true);
      return mod(first + lambda * second, r);
    });

  it('are the scalars, with one of the halves negative or 0, too', async () => {
    const random = new Random(11);
    const [[a, b], [c, d]] = ENDOMORPHISMS[curve]!.basis;
    const edges = [
      0n,
      1n,
      2n,
      7n,
      8n,
      r - 1n,
      lambda,
      r - lambda,
      lambda + 1n,
      lambda - 1n,
      (r - 1n) / 2n,
      r / 2n + 1n,
    ];
    const corners = [a, b, c, d].flatMap((length) => [length / 2n, length / 2n + 1n]);
    const scalars = [
      ...edges,
      ...corners.flatMap((half) => [mod(half, r), mod(half * lambda, r)]),
      ...Array.from({ length: 5000 }, () => random.below(r)),
    ];
    const given = joinBytes(scalars.map((scalar) => bigintToBytes(scalar, SCALAR_BYTES)));
    const halves = await kernel.splitScalars({ scalars: given });
    expect(scalarsOf(halves)).toEqual(scalars);
    expect([...halves.subarray(SCALAR_BYTES, 2 * SCALAR_BYTES)]).toEqual([0x89, ...Array(31).fill(0x88)]);
  });

  it('are those of powers', async () => {
    const random = new Random(12);
    const [first, ratio] = [random.below(r), random.below(r)];
    const [some, other] = [first, ratio].map((value) => bigintToBytes(value, SCALAR_BYTES)) as [Uint8Array, Uint8Array];
    const halves = await kernel.splitPowers({ first: some, ratio: other, count: 4100, elements });
    expect(scalarsOf(halves)).toEqual(Array.from({ length: 4100 }, (_, i) => (first * power(ratio, BigInt(i), r)) % r));
    expect(await kernel.splitPowers({ first: some, ratio: other, count: 0, elements })).toEqual(new Uint8Array(0));
    expect(bytesToBigint(some)).toBe(first);
  });
});
