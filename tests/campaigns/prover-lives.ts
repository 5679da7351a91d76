import { setTimeout as delay } from 'node:timers/promises';
import type { Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import type { TestCircuit } from '../support/circuits.js';
import { encodePoints, encodeScalars, multipleOf } from '../support/points.js';
import type { Random } from '../support/random.js';
import type { UniversalProver } from '../support/universal-systems.js';

/** Milliseconds within which a call is aborted or its prover disposed: before it ends, or just after. */
const WITHIN_MS = 15;

/** What a life of a prover has to live on. */
export interface Given {
  readonly random: Random;
  readonly circuit: TestCircuit<object>;
  /** The proof system of the circuit's key. */
  of(prover: Prover): UniversalProver;
  /** The signal of all calls of all provers that are not aborted. */
  readonly signal: AbortSignal;
}

/** What is done with a prover before it is disposed, or with its disposal; all results are checked. */
export type Life = (prover: Prover, given: Given) => Promise<void>;

const noLongerThan = (random: Random): Promise<void> => delay(random.integer(WITHIN_MS));

/** A call that may end in one of these errors. */
async function mayFail(call: Promise<unknown>, ...codes: readonly string[]): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
  }
}

async function mustFail(call: Promise<unknown>, code: string): Promise<void> {
  const result = await call.then(
    () => 'a result',
    (error: { code?: string }) => error.code,
  );
  if (result !== code) throw new Error(`expected ${code}, got ${result}`);
}

export const LIVES: Readonly<Record<string, Life>> = {
  unused: async () => undefined,

  async 'a proof'(prover, { circuit, signal, of }) {
    const key = await of(prover).loadKey(circuit.zkey, { signal });
    await of(prover).fullProve(key, circuit.inputs, circuit.wasm, { signal });
  },

  async 'a sum'(prover, { signal }) {
    const points = encodePoints(bn254, [multipleOf(bn254, 3n), multipleOf(bn254, 5n)]);
    const bases = await prover.loadBases({ curve: 'bn254', points }, { signal });
    const sum = await prover.msm(bases, encodeScalars([2n, 7n]), { signal });
    const expected = multipleOf(bn254, 41n)!;
    if (sum.x !== expected[0] || sum.y !== expected[1]) throw new Error('expected the right sum, got another');
    await bases.dispose();
  },

  async 'refused inputs'(prover, { circuit, signal, of }) {
    const key = await of(prover).loadKey(circuit.zkey, { signal });
    await mustFail(of(prover).fullProve(key, { root: 8 }, circuit.wasm, { signal }), 'WITNESS_REJECTED');
  },

  async 'aborted proof'(prover, { random, circuit, of }) {
    const key = await of(prover).loadKey(circuit.zkey);
    const controller = new AbortController();
    const proving = of(prover).fullProve(key, circuit.inputs, circuit.wasm, { signal: controller.signal });
    await Promise.all([mayFail(proving, 'ABORTED'), noLongerThan(random).then(() => controller.abort())]);
  },

  async 'aborted loading'(prover, { random, circuit, of }) {
    const controller = new AbortController();
    const loading = of(prover).loadKey(circuit.zkey, { signal: controller.signal });
    await Promise.all([mayFail(loading, 'ABORTED'), noLongerThan(random).then(() => controller.abort())]);
  },

  async 'disposed while proving'(prover, { random, circuit, signal, of }) {
    const key = await of(prover).loadKey(circuit.zkey, { signal });
    const proving = of(prover).fullProve(key, circuit.inputs, circuit.wasm, { signal });
    await Promise.all([mayFail(proving, 'DISPOSED'), noLongerThan(random).then(() => prover.dispose())]);
  },

  async 'disposed while loading'(prover, { random, circuit, signal, of }) {
    const loading = of(prover).loadKey(circuit.zkey, { signal });
    await Promise.all([mayFail(loading, 'DISPOSED'), noLongerThan(random).then(() => prover.dispose())]);
  },

  async 'disposed twice'(prover, { circuit, signal, of }) {
    await of(prover).loadKey(circuit.zkey, { signal });
    await Promise.all([prover.dispose(), prover.dispose()]);
  },

  async 'used after disposal'(prover, { circuit, signal, of }) {
    const key = await of(prover).loadKey(circuit.zkey, { signal });
    await prover.dispose();
    await key.dispose();
    await mustFail(of(prover).fullProve(key, circuit.inputs, circuit.wasm, { signal }), 'DISPOSED');
  },
};
