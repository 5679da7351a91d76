import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Prover } from '../../sdk/api.js';
import { bn254 } from '../../sdk/curves/index.js';
import { PippinError } from '../../sdk/errors.js';
import { MAKING_TIMEOUT, snarkjsProof, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { createInPlace, inPlaceProver } from '../support/in-place-prover.js';
import { mutated, mutations } from '../support/mutations.js';
import { encodePoints, encodeScalars, multipleOf } from '../support/points.js';

const SEED = 1;
/** Of one method each. */
const CASES = 1500;

let prover: Prover;
let circuit: TestCircuit;
let key: Groth16Key;
let bases: Bases;
let points: Uint8Array;
let witness: Uint8Array;
let proved: Awaited<ReturnType<typeof snarkjsProof>>;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  witness = await snarkjsWitness(circuit);
  proved = await snarkjsProof(circuit);
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
  points = encodePoints(bn254, [multipleOf(bn254, 3n), multipleOf(bn254, 5n)]);
  bases = await prover.loadBases({ curve: 'bn254', points });
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await endSnarkjs();
});

/** What came of a call: its result, or the code of its typed error. Fails the test for an error of any other type. */
async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    expect(error).toBeInstanceOf(PippinError);
    const { code, message } = error as PippinError;
    expect(`${code}: ${message}`).not.toMatch(/^INTERNAL/);
    if (code !== 'ABORTED') expect(message).toMatch(/^expected .*, got/s);
    return code;
  }
}

const options = { signal: new AbortController().signal, onProgress: () => undefined };

/** Each method with arguments that it takes, and what it may give. Handles, which cannot be mutated, are among them as they are. */
const METHODS: Record<string, { args(): unknown[]; call(args: readonly unknown[]): Promise<unknown> }> = {
  verify: {
    args: () => [circuit.verificationKey, proved.publicSignals, proved.proof, options],
    call: async (args) => {
      const holds: unknown = await prover.groth16.verify(...(args as Parameters<typeof prover.groth16.verify>));
      expect(typeof holds).toBe('boolean');
    },
  },
  loadKey: {
    args: () => [[new Blob([new Uint8Array(circuit.zkey)])], { ...options, transfer: true }],
    call: async (args) => {
      const loaded = await prover.groth16.loadKey(...(args as Parameters<typeof prover.groth16.loadKey>));
      await loaded.dispose();
    },
  },
  loadBases: {
    args: () => [
      { curve: 'bn254', group: 'g1', points: new Blob([points as Uint8Array<ArrayBuffer>]), id: 'x' },
      { ...options, transfer: false },
    ],
    call: async (args) => {
      const loaded = await prover.loadBases(...(args as Parameters<typeof prover.loadBases>));
      await loaded.dispose();
    },
  },
  msm: {
    args: () => [bases, encodeScalars([1n, 2n]), { ...options, check: 'random' }],
    call: async (args) => {
      const result = await prover.msm(...(args as Parameters<typeof prover.msm>));
      expect(result.x).toBeTypeOf('bigint');
    },
  },
  msmBatch: {
    args: () => [bases, encodeScalars([1n, 2n, 3n, 4n]), { ...options, batchSize: 2 }],
    call: (args) => prover.msmBatch(...(args as Parameters<typeof prover.msmBatch>)),
  },
  prove: {
    args: () => [key, witness, { ...options, verify: true, constantWork: false }],
    call: (args) => prover.groth16.prove(...(args as Parameters<typeof prover.groth16.prove>)),
  },
  fullProve: {
    args: () => [key, { root: [7] }, new Blob(['no WASM']), { ...options, strictInputs: true }],
    call: (args) => prover.groth16.fullProve(...(args as Parameters<typeof prover.groth16.fullProve>)),
  },
  createProver: {
    args: () => [
      {
        backend: 'auto',
        threads: 1,
        cache: { directory: '/no/such/folder' },
        memoryBudget: 1e9,
        assets: { kernel: 'file:///kernel.js', witness: new URL('file:///witness.js'), wasm: { bn254: 'x' } },
        onNotice: () => undefined,
      },
    ],
    call: async ([given]) => {
      const made = await createInPlace(given as object, { gpu: async () => undefined });
      await made.dispose();
    },
  },
};

describe('arguments of every type', () => {
  it.each(Object.keys(METHODS))('of %s end in a result or in a typed error', async (name) => {
    const { args, call } = METHODS[name]!;
    // First without any change: what is mutated must be what the method takes.
    const unchanged = await outcomeOf(() => call(args()));
    if (name !== 'loadKey' && name !== 'fullProve') expect(unchanged).not.toBeTypeOf('string');
    await fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        // The list of arguments itself stays one: the first step goes to one of them.
        const steps = changes.map((change) => ({ ...change, path: [change.kind, ...change.path] }));
        await outcomeOf(() => call(mutated(args(), steps) as unknown[]));
      }),
      { seed: SEED, numRuns: CASES },
    );
  });

  it('leave the prover right', async () => {
    expect(await prover.msm(bases, encodeScalars([1n, 2n]))).toMatchObject({ x: expect.anything(), infinity: false });
    const { proof, publicSignals } = await prover.groth16.prove(key, witness);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  });
});

describe('what callers without types get wrong', () => {
  it.each([
    [
      'a key for bases',
      () => prover.msm(key as never, new Uint8Array(64)),
      'INVALID_HANDLE',
      'expected bases loaded by this prover, got a proving key',
    ],
    [
      'null options',
      () => prover.groth16.prove(key, witness, null as never),
      'INVALID_ARGUMENT',
      'expected the options of prove as an object, got null',
    ],
    [
      'a signal that is none',
      () => prover.groth16.prove(key, witness, { signal: {} as never }),
      'INVALID_ARGUMENT',
      'expected signal as an AbortSignal',
    ],
    [
      'a listener that is none',
      () => prover.groth16.prove(key, witness, { onProgress: 5 as never }),
      'INVALID_ARGUMENT',
      'expected onProgress as a function, got 5',
    ],
    [
      'a word for a flag',
      () => prover.groth16.prove(key, witness, { verify: 'no' as never }),
      'INVALID_ARGUMENT',
      'expected verify as true or false, got no',
    ],
    [
      'a function in a proof',
      () => prover.groth16.verify(circuit.verificationKey, [], { pi_a: [() => 1] } as never),
      'MALFORMED_FILE',
      'expected pi_a[0] as JSON, got a function',
    ],
  ] as const)('%s', async (_, call, code, message) => {
    await expect(call()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('takes a signal of another realm, and inputs behind a Proxy', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const foreign = {
      get aborted() {
        return signal.aborted;
      },
      get reason(): unknown {
        return signal.reason;
      },
      addEventListener: signal.addEventListener.bind(signal),
      removeEventListener: signal.removeEventListener.bind(signal),
    };
    const call = prover.groth16.prove(key, witness, { signal: foreign as AbortSignal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    const inputs = new Proxy({ root: new Proxy([7], {}) }, {});
    await prover.groth16.fullProve(key, inputs, circuit.wasm);
  });
});
