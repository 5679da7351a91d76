import { bn254 as noble } from '@noble/curves/bn254.js';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey } from '../../../sdk/api/index.js';
import { equalBytes } from '../../../sdk/base/bytes.js';
import { bn254, type GroupId } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import type { KernelPool } from '../../../sdk/executors/workers/pool/pool.js';
import { Verifier } from '../../../sdk/proofs/groth16/verify.js';
import { pairings } from '../../../sdk/proofs/pairings.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT, snarkjsProof, testCircuit } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjs } from '../../support/example.js';
import { outsideSubgroup } from '../../support/outside-subgroup.js';
import { failureOf } from '../../support/section-bytes.js';
import { verifyProof } from '../../support/verify-proof.js';
import { loadKernel, WASM_MODULES } from '../../support/wasm.js';

const INFINITY_G1 = ['0', '1', '0'];
const INFINITY_G2 = [
  ['0', '0'],
  ['1', '0'],
  ['0', '0'],
];
const r = bn254.fr.modulus;

let key: Groth16VerificationKey;
let signals: readonly string[];
let proof: Groth16Proof;
beforeAll(async () => {
  const circuit = await testCircuit('chain');
  key = circuit.verificationKey;
  ({ publicSignals: signals, proof } = await snarkjsProof(circuit));
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

describe.each(WASM_MODULES.bn254)('verifyProof by %s', (module) => {
  /** How a document is read, and what is refused, depends on no form: one has all cases. */
  const isInFull = EVERY_COMBINATION || module.endsWith('-fma');
  const ifInFull = (name: string, test: () => Promise<void>): void => {
    if (isInFull) it(name, test);
  };
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel('bn254', module);
  });

  it.each(isInFull ? CIRCUIT_NAMES : (['chain'] as const))(
    "accepts snarkjs' proof for %s, and no other public signals",
    async (name) => {
      const circuit = await testCircuit(name);
      const made = await snarkjsProof(circuit);
      expect(await verifyProof(kernel, circuit.verificationKey, made.publicSignals, made.proof)).toBe(true);
      for (const [i, signal] of made.publicSignals.entries()) {
        const changed = made.publicSignals.with(i, String((BigInt(signal) + 1n) % r));
        expect(await verifyProof(kernel, circuit.verificationKey, changed, made.proof)).toBe(false);
      }
    },
  );

  ifInFull('accepts what other provers leave out or write as numbers', async () => {
    const { protocol: _, curve: __, ...bare } = proof;
    expect(await verifyProof(kernel, key, signals.map(BigInt), bare)).toBe(true);
    for (const curve of ['bn254', 'BN254', 'altbn128', 'alt_bn128']) {
      expect(await verifyProof(kernel, { ...key, curve }, signals, { ...proof, curve })).toBe(true);
    }
  });

  it('rejects every other point', async () => {
    const { G1, G2 } = noble;
    const g1 = G1.Point.BASE.toAffine();
    const g2 = G2.Point.BASE.toAffine();
    const otherG1 = [String(g1.x), String(g1.y), '1'];
    const otherG2 = [[g2.x.c0, g2.x.c1].map(String), [g2.y.c0, g2.y.c1].map(String), ['1', '0']];
    expect(await verifyProof(kernel, key, signals, { ...proof, pi_a: otherG1 })).toBe(false);
    expect(await verifyProof(kernel, key, signals, { ...proof, pi_b: otherG2 })).toBe(false);
    expect(await verifyProof(kernel, key, signals, { ...proof, pi_c: otherG1 })).toBe(false);
    expect(await verifyProof(kernel, key, signals, { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a })).toBe(false);
    const unfinished = { ...key, vk_gamma_2: key.vk_delta_2 };
    expect(await verifyProof(kernel, unfinished, signals, proof, true)).toBe(false);
    // The points are equal, also where only one of them is written with z = 1.
    for (const vk_delta_2 of [key.vk_delta_2, key.vk_delta_2.slice(0, 2)]) {
      await expect(verifyProof(kernel, { ...unfinished, vk_delta_2 }, signals, proof)).rejects.toMatchObject({
        code: 'KEY_UNFINISHED',
      });
    }
  });

  ifInFull('accepts the same proof made over: (-A, -B, C)', async () => {
    const p = bn254.fq.modulus;
    const minus = (value: string): string => String(p - BigInt(value));
    const [ax, ay] = proof.pi_a as [string, string];
    const [bx, by] = proof.pi_b as [string[], string[]];
    const negated = { ...proof, pi_a: [ax, minus(ay), '1'], pi_b: [bx, by.map(minus), ['1', '0']] };
    expect(await verifyProof(kernel, key, signals, negated)).toBe(true);
    expect(await verifyProof(kernel, key, signals, { ...negated, pi_b: proof.pi_b })).toBe(false);
  });

  ifInFull('rejects points at infinity, off the curve, or outside the subgroup, without an error', async () => {
    const outside = outsideTwistSubgroup();
    for (const [name, points] of [
      ['pi_a', [INFINITY_G1, ['0', '0', '1'], ['1', '3', '1']]],
      [
        'pi_b',
        [
          INFINITY_G2,
          [
            ['0', '0'],
            ['0', '0'],
            ['1', '0'],
          ],
          [
            ['1', '2'],
            ['3', '4'],
            ['1', '0'],
          ],
          outside,
        ],
      ],
      ['pi_c', [INFINITY_G1, ['0', '0', '1'], ['1', '3', '1']]],
    ] as const) {
      for (const point of points)
        expect(await verifyProof(kernel, key, signals, { ...proof, [name]: point })).toBe(false);
    }
    expect(
      await verifyProof(kernel, key, signals, { ...proof, pi_a: INFINITY_G1, pi_b: INFINITY_G2, pi_c: INFINITY_G1 }),
    ).toBe(false);
  });

  ifInFull('gives the same answer when it begins with A and B', async () => {
    const verifier = await Verifier.create(kernel, key);
    const ahead = async (publicSignals: readonly string[], begun: Groth16Proof, made = begun): Promise<boolean> => {
      const a = pointOf('g1', begun.pi_a as string[]);
      const b = pointOf('g2', begun.pi_b as string[][]);
      return (await verifier.ahead(kernel, publicSignals, Promise.resolve([a, b] as const)))(made);
    };
    expect(await ahead(signals, proof)).toBe(true);
    expect(await ahead(signals.with(0, '7'), proof)).toBe(false);
    expect(await ahead(signals.slice(1), proof)).toBe(false);
    const swapped = { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a };
    for (const wrong of [
      swapped,
      { ...proof, pi_b: outsideTwistSubgroup() },
      ...[INFINITY_G1, ['0', '0', '1'], ['1', '3', '1']].map((pi_c) => ({ ...proof, pi_c })),
    ]) {
      expect(await ahead(signals, wrong)).toBe(false);
      // The points with which it began are not those of the proof.
      expect(await ahead(signals, proof, wrong)).toBe(false);
    }
    expect(await ahead(signals, swapped, proof)).toBe(false);
  });

  ifInFull('rejects signals that are too few, too many, or out of range, without an error', async () => {
    const beyond = [String(BigInt(signals[0]!) + r), signals[1]!];
    const negative = [String(BigInt(signals[0]!) - r), signals[1]!];
    for (const wrong of [[], signals.slice(1), [...signals, '0'], beyond, negative]) {
      expect(await verifyProof(kernel, key, wrong, proof)).toBe(false);
    }
    // What snarkjs says, where it does not throw.
    for (const wrong of [beyond, negative]) expect(await snarkjs.groth16.verify(key, wrong, proof)).toBe(false);
  });

  ifInFull('accepts affine points and hexadecimal signals, as snarkjs does', async () => {
    const affine = {
      ...proof,
      pi_a: proof.pi_a.slice(0, 2),
      pi_b: proof.pi_b.slice(0, 2),
      pi_c: proof.pi_c.slice(0, 2),
    };
    const affineKey = { ...key, vk_alpha_1: key.vk_alpha_1.slice(0, 2), vk_delta_2: key.vk_delta_2.slice(0, 2) };
    const hexadecimal = signals.map((signal) => `0x${BigInt(signal).toString(16)}`);
    const other = ['0x1', hexadecimal[1]!];
    expect(await snarkjs.groth16.verify(affineKey, hexadecimal, affine)).toBe(true);
    expect(await verifyProof(kernel, affineKey, hexadecimal, affine)).toBe(true);
    expect(await verifyProof(kernel, affineKey, other, affine)).toBe(false);
  });

  ifInFull('refuses a key with bad points by their names', async () => {
    const off = ['1', '3', '1'];
    const offG2 = [
      ['1', '2'],
      ['3', '4'],
      ['1', '0'],
    ];
    const bad: readonly [string, Partial<Groth16VerificationKey>][] = [
      ['vk_alpha_1', { vk_alpha_1: off }],
      ['vk_alpha_1', { vk_alpha_1: INFINITY_G1 }],
      ['vk_alpha_1', { vk_alpha_1: ['0', '0', '1'] }],
      ['vk_beta_2', { vk_beta_2: offG2 }],
      ['vk_beta_2', { vk_beta_2: outsideTwistSubgroup() }],
      ['vk_gamma_2', { vk_gamma_2: INFINITY_G2 }],
      ['vk_delta_2', { vk_delta_2: INFINITY_G2 }],
      ['IC[2]', { IC: key.IC.with(2, off) }],
      // (0, 0) is on no curve, unlike infinity, which IC may have.
      ['IC[2]', { IC: key.IC.with(2, ['0', '0', '1']) }],
    ];
    for (const [name, part] of bad) {
      const { code, message } = await failureOf(() => verifyProof(kernel, { ...key, ...part }, signals, proof));
      expect(code).toBe('INVALID_POINT');
      expect(message).toContain(name);
    }
  });
});

describe('Verifier', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel('bn254');
  });

  it('takes no unfinished key, unless it is asked to', async () => {
    const unfinished = { ...key, vk_gamma_2: key.vk_delta_2 };
    expect((await failureOf(() => Verifier.create(kernel, unfinished))).code).toBe('KEY_UNFINISHED');
    expect(await Verifier.create(kernel, unfinished, true)).toBeInstanceOf(Verifier);
  });

  it('takes a key in which a signal has infinity', async () => {
    const verifier = await Verifier.create(kernel, { ...key, IC: key.IC.with(1, INFINITY_G1) });
    expect(await verifier.verify(kernel, signals, proof)).toBe(false);
  });

  /** An arithmetic for which all pairings are equal: what is refused is refused for its points. */
  const allEqual = (outside: Uint8Array) => ({
    combine: kernel.combine.bind(kernel),
    isInSubgroup: async ({ points }: { points: Uint8Array }) => !equalBytes(points, outside),
    pairingProductIsOne: async () => true,
    pairing: async () => new Uint8Array(1),
  });

  it('ahead of C asks for the subgroup of each point, and compares A and B with those of the proof', async () => {
    const verifier = await Verifier.create(kernel, key);
    const points = { a: pointOf('g1', proof.pi_a), b: pointOf('g2', proof.pi_b), c: pointOf('g1', proof.pi_c) };
    const holds = async (outside: Uint8Array, made = proof): Promise<boolean> => {
      const arithmetic = allEqual(outside);
      const begun = Promise.resolve([points.a, points.b] as const);
      return (await verifier.ahead(arithmetic, signals, begun))(made);
    };
    expect(await holds(new Uint8Array(0))).toBe(true);
    for (const outside of Object.values(points)) expect(await holds(outside)).toBe(false);
    expect(await holds(new Uint8Array(0), { ...proof, pi_a: proof.pi_c })).toBe(false);
    const otherB = { ...proof, pi_b: outsideTwistSubgroup() };
    expect(await holds(new Uint8Array(0), otherB)).toBe(false);
  });

  it('ahead of C leaves no rejection behind where the pairings of A and B fail', async () => {
    const verifier = await Verifier.create(kernel, key);
    const a = pointOf('g1', proof.pi_a);
    const failing = { ...allEqual(a), pairing: () => Promise.reject(new Error('off the curve')) };
    const begun = Promise.resolve([a, pointOf('g2', proof.pi_b)] as const);
    expect(await (await verifier.ahead(failing, signals, begun))(proof)).toBe(false);
    // Rejections that nobody handles are told after the turn.
    await new Promise((resolve) => setTimeout(resolve));
  });
});

/** A point of the twist whose order is not r, in snarkjs' form. */
function outsideTwistSubgroup(): string[][] {
  const coordinates = outsideSubgroup(bn254, 'g2') as readonly (readonly bigint[])[];
  return [...coordinates.map((value) => value.map(String)), ['1', '0']];
}

/** A finite point of snarkjs' JSON in the boundary form. */
function pointOf(group: GroupId, [x, y]: readonly (string | readonly string[])[]): Uint8Array {
  const coordinate = (value: string | readonly string[]): bigint | readonly [bigint, bigint] =>
    typeof value === 'string' ? BigInt(value) : [BigInt(value[0]!), BigInt(value[1]!)];
  return encodePoint('bn254', group, [coordinate(x!), coordinate(y!)] as Parameters<typeof encodePoint>[2]);
}

it('the arithmetic of a verification asks the pool for the method of its name, before other work', async () => {
  const call = vi.fn(async (...given: unknown[]) => given[1]);
  const { signal } = new AbortController();
  const arithmetic = pairings({ call } as unknown as KernelPool, 'bls12-381', signal);
  for (const [method, run] of Object.entries(arithmetic)) {
    const args = { of: method };
    expect(await (run as (given: object) => Promise<unknown>)(args)).toBe(method);
    expect(call).toHaveBeenLastCalledWith('bls12-381', method, args, { signal, urgent: true });
  }
  expect(call).toHaveBeenCalledTimes(4);
});
