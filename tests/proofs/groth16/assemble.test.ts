import { describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, writeBigint } from '../../../sdk/base/bytes.js';
import { bn254, CURVES, type GroupId, pointBytes, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { randomScalar } from '../../../sdk/curves/random.js';
import type { KeyPoints } from '../../../sdk/files/snarkjs/zkey.js';
import { assembleA, assembleB, assembleC, blindC } from '../../../sdk/proofs/groth16/prove.js';
import type { Combine } from '../../../sdk/proofs/pairings.js';
import { edgeValues, Random } from '../../support/random.js';

const r = bn254.fr.modulus;

/** A stand-in for points: a point's bytes hold its discrete logarithm, so that the group's law is addition mod r. */
function point(group: GroupId, log: bigint): Uint8Array {
  const bytes = new Uint8Array(pointBytes('bn254', group));
  writeBigint(bytes, 0, SCALAR_BYTES, log % r);
  return bytes;
}

const combine: Combine = async ({ group, points, scalars }) => {
  const size = pointBytes('bn254', group);
  let sum = 0n;
  for (let i = 0; i < points.length / size; i++) {
    const factor = scalars === undefined ? 1n : bytesToBigint(scalars, i * SCALAR_BYTES, SCALAR_BYTES);
    if (factor >= r) throw new RangeError(`scalar ${i} is not below r`);
    sum += factor * bytesToBigint(points, i * size, SCALAR_BYTES);
  }
  return point(group, sum);
};
const logOf = (bytes: Uint8Array): bigint => bytesToBigint(bytes, 0, SCALAR_BYTES);

describe('a proof from its parts', () => {
  it("is what snarkjs' formulas give, for every blinding", async () => {
    const random = new Random(1);
    const any = (): bigint => random.below(r);
    const edges = edgeValues(r);
    for (let i = 0; i < edges.length; i++) {
      const [alpha, beta, gamma, delta] = [any(), any(), any(), any()];
      const [A, B, C, H] = [any(), any(), any(), any()];
      const [blindingR, blindingS] = [edges[i]!, edges[(i * 7 + 3) % edges.length]!];
      const blinding = { r: bigintToBytes(blindingR, SCALAR_BYTES), s: bigintToBytes(blindingS, SCALAR_BYTES) };
      const key: KeyPoints = {
        alpha1: point('g1', alpha),
        beta1: point('g1', beta),
        beta2: point('g2', beta),
        gamma2: point('g2', gamma),
        delta1: point('g1', delta),
        delta2: point('g2', delta),
        ic: [],
      };
      const a = await assembleA(combine, key, point('g1', A), blinding);
      const b = await assembleB(combine, key, point('g2', B), blinding);
      const blind = await blindC(combine, key, a, point('g1', B), blinding);
      const c = await assembleC(combine, { C: point('g1', C), H: point('g1', H) }, blind);
      const expectedA = alpha + A + blindingR * delta;
      const expectedB = beta + B + blindingS * delta;
      const expectedC = C + H + blindingS * expectedA + blindingR * expectedB - blindingR * blindingS * delta;
      expect(logOf(a)).toBe(expectedA % r);
      expect(logOf(b)).toBe(expectedB % r);
      expect(logOf(c)).toBe(((expectedC % r) + r) % r);
    }
  });
});

describe.each(Object.values(CURVES))('randomScalar of $id', ({ id, fr }) => {
  it('is below r, over its whole range, and never the same', () => {
    const values = Array.from({ length: 2000 }, () => bytesToBigint(randomScalar(id)));
    expect(values.every((value) => value >= 0n && value < fr.modulus)).toBe(true);
    expect(new Set(values).size).toBe(values.length);
    // Each tenth of the range gets 200 of them on average; 110 and 290 are 6.7 standard deviations away.
    for (let tenth = 0n; tenth < 10n; tenth++) {
      const count = values.filter((value) => (value * 10n) / fr.modulus === tenth).length;
      expect(count).toBeGreaterThan(110);
      expect(count).toBeLessThan(290);
    }
  });
});

it('leaves no blinding in memory', async () => {
  const given: Uint8Array[] = [];
  const watched: Combine = async (args) => {
    if (args.scalars !== undefined) given.push(args.scalars);
    return new Uint8Array(pointBytes('bn254', args.group));
  };
  const g1 = point('g1', 2n);
  const g2 = point('g2', 2n);
  const key: KeyPoints = { alpha1: g1, beta1: g1, beta2: g2, gamma2: g2, delta1: g1, delta2: g2, ic: [] };
  const blinding = { r: randomScalar('bn254'), s: randomScalar('bn254') };
  await assembleA(watched, key, g1, blinding);
  await assembleB(watched, key, g2, blinding);
  await blindC(watched, key, g1, g1, blinding);
  expect(given).toHaveLength(3);
  for (const scalars of given) expect(scalars).toEqual(new Uint8Array(scalars.length));
});
