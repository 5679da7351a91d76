import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, ProveResult, Prover } from '../../sdk/api/index.js';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import { type GroupId, pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import type { CoordinateValue } from '../../sdk/curves/point-bytes.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { type AffinePoint, addAffine, multiplyAffine } from '../support/curve-reference.js';
import { endSnarkjsOver } from '../support/example.js';
import { outsideSubgroup } from '../support/outside-subgroup.js';
import { createProver } from '../support/prover.js';
import { patched, sectionsOf, withSection } from '../support/section-bytes.js';

/** The sections of a .zkey that hold points, with the group of those. */
const VECTORS = [
  ['IC', 3, 'g1'],
  ['A', 5, 'g1'],
  ['B1', 6, 'g1'],
  ['B2', 7, 'g2'],
  ['C', 8, 'g1'],
  ['H', 9, 'g1'],
] as const;

/** A point in snarkjs' JSON form. */
function inJson(coordinates: readonly CoordinateValue[]): unknown {
  return coordinates.every((value) => typeof value === 'bigint')
    ? [...coordinates.map(String), '1']
    : [...coordinates.map((value) => (value as readonly bigint[]).map(String)), ['1', '0']];
}

describe.each(KEY_CURVES)('hostile files over $id', (curve) => {
  const { id, fq, coordinateBytes: size } = curve;
  const others = KEY_CURVES.filter((other) => other.id !== id);
  let prover: Prover;
  let circuit: TestCircuit;
  let witness: Uint8Array;
  let key: Groth16Key;
  let honest: ProveResult;
  beforeAll(async () => {
    circuit = await chainOver(id);
    witness = await snarkjsWitness(circuit);
    prover = await createProver({ backend: 'wasm', threads: 2, cache: false });
    key = await prover.groth16.loadKey(circuit.zkey);
    honest = await prover.groth16.prove(key, witness);
  }, MAKING_TIMEOUT);
  afterAll(async () => {
    await prover.dispose();
    for (const each of KEY_CURVES) await endSnarkjsOver(each.id);
  });

  /** A point as a .zkey has it: in Montgomery form. */
  const inKey = (coordinates: readonly CoordinateValue[]): Uint8Array =>
    joinBytes(coordinates.flat().map((value) => bigintToBytes((BigInt(value) << BigInt(8 * size)) % fq.modulus, size)));
  const fromKey = (bytes: Uint8Array, at: number): AffinePoint => {
    const coordinate = (offset: number): bigint =>
      mod(bytesToBigint(bytes, offset, size) * inverse(1n << BigInt(8 * size), fq.modulus), fq.modulus);
    const point = [coordinate(at), coordinate(at + size)] as const;
    return point.every((value) => value === 0n) ? undefined : point;
  };
  const sectionOf = (number: number): Uint8Array => sectionsOf(circuit.zkey).find(([id]) => id === number)![1];
  const zkeyWith = (section: number, offset: number, bytes: Uint8Array): Uint8Array =>
    withSection(circuit.zkey, section, (body) => patched(body, offset, bytes));

  it.each(VECTORS)('a key with a bad point in %s is refused', async (_, section, group) => {
    const bytes = pointBytes(id, group);
    const { length } = sectionOf(section);
    for (const offset of [0, length - bytes]) {
      for (const bad of [
        // Off the curve; a coordinate of p; the largest that fits.
        inKey([5n, 5n, 5n, 5n].slice(0, bytes / size)),
        bigintToBytes(fq.modulus, size),
        new Uint8Array(size).fill(0xff),
      ]) {
        const zkey = zkeyWith(section, offset, bad);
        await expect(prover.groth16.loadKey(zkey)).rejects.toMatchObject({ code: 'INVALID_POINT' });
      }
    }
  });

  it('a key that ends early is refused', async () => {
    const { zkey } = circuit;
    for (const length of [0, 1, 11, 12, 40, zkey.length >> 1, zkey.length - 1]) {
      await expect(prover.groth16.loadKey(zkey.slice(0, length))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
  });

  it.each(others)('the witness, circuit and proof of $id are refused', async (other) => {
    const foreign = await chainOver(other.id);
    const mismatch = { code: 'CURVE_MISMATCH' };
    const { groth16 } = prover;
    await expect(groth16.prove(key, await snarkjsWitness(foreign))).rejects.toMatchObject(mismatch);
    await expect(groth16.fullProve(key, circuit.inputs, foreign.wasm)).rejects.toMatchObject(mismatch);
    const { proof, publicSignals } = honest;
    await expect(groth16.verify(foreign.verificationKey, publicSignals, proof)).rejects.toMatchObject(mismatch);
    // Under the other curve's name its coordinates are off that curve, or not below its p.
    const renamed = groth16.verify(foreign.verificationKey, publicSignals, { ...proof, curve: other.snarkjs.name });
    if (fq.modulus < other.fq.modulus) expect(await renamed).toBe(false);
    else await expect(renamed).rejects.toMatchObject({ code: 'INVALID_POINT' });
  });

  it.each(others)("a key with $id's scalar field in its header is refused", async ({ fr }) => {
    const renamed = zkeyWith(2, 4 + size + 4, bigintToBytes(fr.modulus, SCALAR_BYTES));
    await expect(prover.groth16.loadKey(renamed)).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  });

  const groups: GroupId[] = curve.g1.cofactor === 1n ? ['g2'] : ['g1', 'g2'];

  it.each(groups)('a proof with a point of %s outside of the subgroup does not hold', async (group) => {
    const point = inJson(outsideSubgroup(curve, group));
    const { proof, publicSignals } = honest;
    for (const name of group === 'g1' ? ['pi_a', 'pi_c'] : ['pi_b']) {
      const changed = { ...proof, [name]: point };
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, changed)).toBe(false);
    }
  });

  /** Of an order that divides the cofactor of G1. A pairing does not see it: only the check of the subgroup refuses it. */
  const unseen = (): AffinePoint =>
    multiplyAffine(curve, outsideSubgroup(curve, 'g1') as [bigint, bigint], curve.fr.modulus);

  it.runIf(groups.includes('g1'))('a proof whose point of g1 is moved out of the subgroup does not hold', async () => {
    const { proof, publicSignals } = honest;
    for (const name of ['pi_a', 'pi_c'] as const) {
      const [x, y] = proof[name].map(BigInt);
      const moved = { ...proof, [name]: inJson(addAffine(curve, [x!, y!], unseen())!) };
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, moved)).toBe(false);
    }
  });

  it.each(groups)('a verification key with a point of %s outside of the subgroup is refused', async (group) => {
    const point = inJson(outsideSubgroup(curve, group));
    const { proof, publicSignals } = honest;
    const names = group === 'g1' ? ['vk_alpha_1'] : ['vk_beta_2', 'vk_gamma_2', 'vk_delta_2'];
    for (const name of names) {
      const changed = { ...circuit.verificationKey, [name]: point };
      await expect(prover.groth16.verify(changed, publicSignals, proof)).rejects.toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringContaining(name),
      });
    }
  });

  // Proofs of such a key could tell what the signals are modulo a small order.
  it.runIf(groups.includes('g1'))('a key whose points of A are moved out of the subgroup is refused', async () => {
    const points = sectionOf(5);
    const moved = new Uint8Array(points.length);
    for (let at = 0; at < points.length; at += 2 * size)
      moved.set(inKey(addAffine(curve, fromKey(points, at), unseen())!), at);
    await expect(prover.groth16.loadKey(zkeyWith(5, 0, moved))).rejects.toMatchObject({ code: 'INVALID_POINT' });
  });

  it.each(VECTORS.filter(([, , group]) => groups.includes(group)))(
    'a key with one point of %s outside of the subgroup is refused, by its name',
    async (name, section, group) => {
      const outside = inKey(outsideSubgroup(curve, group));
      for (const at of [0, sectionOf(section).length - outside.length]) {
        await expect(prover.groth16.loadKey(zkeyWith(section, at, outside))).rejects.toMatchObject({
          code: 'INVALID_POINT',
          message: expect.stringMatching(new RegExp(`expected (the points of )?${name} .*subgroup`)),
        });
      }
    },
  );

  it.each(groups)(
    'a key with a point of %s in its header outside of the subgroup is refused, by its name',
    async (group) => {
      const outside = inKey(outsideSubgroup(curve, group));
      const [g1, g2] = [pointBytes(id, 'g1'), pointBytes(id, 'g2')];
      const places = {
        g1: { alpha1: 0, beta1: g1, delta1: 2 * (g1 + g2) },
        g2: { beta2: 2 * g1, gamma2: 2 * g1 + g2, delta2: 3 * g1 + 2 * g2 },
      };
      for (const [name, place] of Object.entries(places[group])) {
        const changed = zkeyWith(2, 4 + size + 4 + SCALAR_BYTES + 12 + place, outside);
        await expect(prover.groth16.loadKey(changed)).rejects.toMatchObject({
          code: 'INVALID_POINT',
          message: expect.stringContaining(`expected ${name} of the key in the subgroup`),
        });
      }
    },
  );
});
