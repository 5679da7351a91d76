import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BatchResult, Prover } from '../../../sdk/api/index.js';
import type { PippinError } from '../../../sdk/base/errors.js';
import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import { systemOf } from '../../../sdk/hosts/session/proof-system-of.js';
import { pick } from '../../campaigns/mutated-bytes.js';
import { changeVerification } from '../../campaigns/verify-mutations.js';
import type { Verification } from '../../campaigns/verify-places.js';
import { changeUniversal } from '../../campaigns/verify-universal-mutations.js';
import { fflonkCircuit, MAKING_TIMEOUT, plonkCircuit, type TestCircuit, testCircuit } from '../../support/circuits.js';
import { addAffine, multiplyAffine } from '../../support/curve-reference.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { mutated } from '../../support/mutations.js';
import { outsideSubgroup } from '../../support/outside-subgroup.js';
import { Random } from '../../support/random.js';

type Pair = readonly [signals: unknown, proof: unknown];

/** A proof system over a curve, with proofs of two keys. */
interface Case {
  readonly system: Verification['system'];
  readonly curve: CurveId;
  /** A point of a proof that is in G1, by the names of members. */
  readonly point: readonly string[];
  readonly circuit: () => Promise<TestCircuit<object>>;
  readonly otherCircuit?: () => Promise<TestCircuit<object>>;
}

const CASES: readonly Case[] = [
  {
    system: 'groth16',
    curve: 'bn254',
    point: ['pi_c'],
    circuit: () => testCircuit('chain'),
    otherCircuit: () => testCircuit('matrix'),
  },
  { system: 'groth16', curve: 'bls12-381', point: ['pi_a'], circuit: () => testCircuit('bls12381/chain') },
  {
    system: 'plonk',
    curve: 'bn254',
    point: ['Wxi'],
    circuit: () => plonkCircuit('chain'),
    otherCircuit: () => plonkCircuit('matrix'),
  },
  { system: 'plonk', curve: 'bls12-381', point: ['A'], circuit: () => plonkCircuit('bls12381/chain') },
  {
    system: 'fflonk',
    curve: 'bn254',
    point: ['polynomials', 'W1'],
    circuit: () => fflonkCircuit('chain'),
    otherCircuit: () => fflonkCircuit('smallest'),
  },
];

let prover: Prover;
beforeAll(async () => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
});
afterAll(() => prover.dispose());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Proofs of a circuit: blinded anew each time. */
async function proofsOf(system: Verification['system'], circuit: TestCircuit<object>, count: number): Promise<Pair[]> {
  const { loadKey, fullProve } = systemOf(prover, system);
  const key = await loadKey(circuit.zkey);
  const pairs: Pair[] = [];
  for (let i = 0; i < count; i++) {
    const { proof, publicSignals } = await fullProve(key, circuit.inputs, circuit.wasm);
    pairs.push([publicSignals, { ...proof }]);
  }
  await key.dispose();
  return pairs;
}

describe.each(CASES)('verifyBatch of $system over $curve', ({ system, curve, point, circuit, otherCircuit }) => {
  /** What reads a batch knows no curve: over the second one a batch is verified, and points are looked at. */
  const isInFull = EVERY_COMBINATION || curve === 'bn254';
  const ifInFull = (name: string, test: () => Promise<void>): void => {
    if (isInFull) it(name, test);
  };
  let key: object;
  let valid: Pair[];
  /** A proof of another key, or of the same for other signals. */
  let foreign: Pair;
  beforeAll(async () => {
    const made = await circuit();
    key = made.verificationKey;
    valid = await proofsOf(system, made, 3);
    foreign = otherCircuit
      ? (await proofsOf(system, await otherCircuit(), 1))[0]!
      : [(valid[0]![0] as string[]).with(0, '5'), valid[1]![1]];
  }, MAKING_TIMEOUT);

  const batch = (pairs: readonly unknown[], options = {}): Promise<BatchResult> =>
    (prover[system].verifyBatch as (...given: unknown[]) => Promise<BatchResult>)(key, pairs, options);
  const single = async ([signals, proof]: Pair): Promise<boolean | string> => {
    try {
      return await systemOf(prover, system).verify(key as never, signals as never, proof as never);
    } catch (error) {
      return (error as PippinError).code;
    }
  };
  const list = (count: number): Pair[] => Array.from({ length: count }, (_, i) => valid[i % valid.length]!);
  const withSignal = ([signals, proof]: Pair, value: string): Pair => [(signals as string[]).with(0, value), proof];
  /** A proof with a point of G1 changed. */
  function withPoint([signals, proof]: Pair, change: (point: readonly string[]) => readonly unknown[]): Pair {
    const copy = structuredClone(proof) as Record<string, never>;
    const holder = point.slice(0, -1).reduce<Record<string, never>>((at, name) => at[name]!, copy);
    holder[point.at(-1)!] = change(holder[point.at(-1)!]!) as never;
    return [signals, copy];
  }
  const { fq } = CURVES[curve];
  const negated = ([x, y]: readonly string[]): string[] => [x!, String(fq.modulus - BigInt(y!)), '1'];
  const moved = ([x, y]: readonly string[], by: bigint): string[] => {
    const sum = addAffine(
      CURVES[curve],
      [BigInt(x!), BigInt(y!)],
      multiplyAffine(CURVES[curve], CURVES[curve].g1.generator, mod(by, CURVES[curve].fr.modulus)),
    );
    return [String(sum![0]), String(sum![1]), '1'];
  };

  it.each(isInFull ? [0, 1, 2, 17] : [2])('accepts %i proofs that hold', async (count) => {
    expect(await batch(list(count))).toEqual({ valid: true, failed: [], errors: [] });
  });

  it('names the ones that do not hold: one, some, all', async () => {
    const wrong = (pair: Pair, i: number): Pair =>
      [withSignal(pair, '7'), withPoint(pair, negated), foreign, withPoint(pair, (at) => moved(at, 3n))][i % 4]!;
    for (const [count, places] of [
      [1, [0]],
      [2, [1]],
      [17, [16]],
      [17, [0, 1, 8, 9]],
      [18, Array.from({ length: 18 }, (_, i) => i)],
    ] as const) {
      const pairs = list(count).map((pair, i) => ((places as readonly number[]).includes(i) ? wrong(pair, i) : pair));
      expect(await batch(pairs)).toEqual({ valid: false, failed: [...places], errors: [] });
    }
  });

  ifInFull('refuses wrong proofs whose errors cancel, which equal weights would accept', async () => {
    if (system !== 'groth16') return;
    const pairs = list(16).map((pair, i) => {
      const c = (pair[1] as { readonly pi_c: readonly string[] }).pi_c;
      const by = { 3: 5n, 9: -5n }[i];
      return by === undefined ? pair : ([pair[0], { ...(pair[1] as object), pi_c: moved(c, by) }] as const);
    });
    expect((await batch(pairs)).failed).toEqual([3, 9]);
    const draw = crypto.getRandomValues.bind(crypto);
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) =>
      (bytes as Uint8Array).length === 16 * 16 ? ((bytes as Uint8Array).fill(3) as typeof bytes) : draw(bytes),
    );
    expect((await batch(pairs)).valid).toBe(true);
  });

  it('refuses a point outside of the subgroup, also among many', async () => {
    if (CURVES[curve].g1.cofactor === 1n) return;
    const outside = outsideSubgroup(CURVES[curve], 'g1').map(String);
    const wrong = withPoint(valid[0]!, () => [...outside, '1']);
    for (const count of [2, 17, 130]) {
      const pairs = list(count).with(count >> 1, wrong);
      expect((await batch(pairs)).failed).toEqual([count >> 1]);
    }
    expect((await batch(list(130))).valid).toBe(true);
  });

  it('agrees with verify on changed proofs', async () => {
    const random = new Random(system.length + curve.length);
    const change = system === 'groth16' ? changeVerification : changeUniversal;
    const bases = valid.map(([signals, proof]) => ({ system, curve, key, signals, proof }) as unknown as Verification);
    const draw = (): Pair => {
      const [base, other] = [pick(random, bases), pick(random, bases)];
      if (random.integer(4) === 0) {
        const path = Array.from({ length: 1 + random.integer(4) }, () => random.integer(1000));
        const changes = [{ path, kind: random.integer(1000), odd: random.integer(10_000) }];
        return (mutated([base.signals, base.proof], changes) as unknown[] as never) ?? [base.signals, base.proof];
      }
      const changed = change(random, base, other);
      return changed.key === base.key ? [changed.signals, changed.proof] : [base.signals, base.proof];
    };
    for (let round = 0; round < (EVERY_COMBINATION ? 40 : isInFull ? 2 : 1); round++) {
      const pairs = Array.from({ length: 30 }, draw).filter((pair) => Array.isArray(pair) && pair.length === 2);
      const answers = await Promise.all(pairs.map(single));
      const { valid: all, failed, errors } = await batch(pairs);
      expect(failed).toEqual(answers.flatMap((answer, i) => (answer === true ? [] : [i])));
      expect(errors.map(({ index, error }) => [index, error.code])).toEqual(
        answers.flatMap((answer, i) => (typeof answer === 'string' ? [[i, answer]] : [])),
      );
      expect(all).toBe(failed.length === 0);
    }
  });

  ifInFull('takes hostile entries for proofs that do not hold, and says why', async () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const hostile: unknown[] = [null, 5, [], [[], {}, 1], {}, 'x', [valid[0]![0]], cycle, () => 1, [valid[0]![0], 'x']];
    const throws = Object.defineProperty([...hostile, valid[0]], 0, {
      get: () => {
        throw new Error('no');
      },
    });
    for (const pairs of [[...hostile, valid[0]], throws]) {
      const { failed, errors } = await batch(pairs);
      expect(failed).toEqual(hostile.map((_, i) => i));
      expect(errors.map(({ index }) => index)).toEqual(failed);
      for (const { error } of errors) expect(error).toMatchObject({ code: 'MALFORMED_FILE', name: 'PippinError' });
    }
    for (const pairs of [undefined, null, {}, 'x', { length: 3 }, new Array(2 ** 32 - 1), new Array(2 ** 16 + 1)]) {
      await expect(batch(pairs as never)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
  });

  ifInFull('goes through more proofs than one message takes', async () => {
    const pairs: unknown[] = Array.from({ length: 1030 }, (_, i) =>
      i % 500 === 27 ? valid[0] : i % 3 ? null : () => i,
    );
    const { failed, errors } = await batch(pairs);
    const wrong = pairs.flatMap((pair, i) => (pair === valid[0] ? [] : [i]));
    expect(failed).toEqual(wrong);
    expect(errors.map(({ index }) => index)).toEqual(wrong);
    expect(errors.at(-1)!.error.message).toContain('entry 1029 of the batch');
  });

  ifInFull('refuses a key as verify does, and ends when nobody wants it', async () => {
    const call = (given: object): Promise<unknown> =>
      (prover[system].verifyBatch as (...args: unknown[]) => Promise<unknown>)(given, list(2));
    await expect(call({})).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expect(call({ ...key, curve: 'secp256k1' })).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
    await expect(call({ ...key, protocol: 'other' })).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    const controller = new AbortController();
    const aborted = batch(list(40), { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(batch(list(2), { other: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await batch(list(2))).valid).toBe(true);
  });
});
