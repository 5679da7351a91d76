import { describe, expect, it } from 'vitest';
import type { WitnessArithmetic } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { bn254 } from '../../../sdk/curves/index.js';
import type { Call } from '../../../sdk/engine/call.js';
import type { EngineContext } from '../../../sdk/engine/context.js';
import type { WitnessRequest } from '../../../sdk/engine/engine-api.js';
import type { LoadedCircuit } from '../../../sdk/engine/witness/circuit.js';
import { forgetWitness, withWitness } from '../../../sdk/engine/witness/read-witness.js';
import { writeWtns } from '../../../sdk/files/snarkjs/write-wtns.js';
import type { CircuitForm } from '../../../sdk/files/witness/compile-circuit.js';
import { SharedCopies } from '../../../sdk/hosts/prover/shared-copies.js';
import { DIRTY_BYTES, stateOf } from '../../../sdk/transport/shared-bytes.js';

/** Modules that stand for a circuit as it is, and with our arithmetic. */
const [PLAIN, EXCHANGED] = ['plain', 'exchanged'] as unknown as [WebAssembly.Module, WebAssembly.Module];

const OURS: WitnessArithmetic = { by: 'pippin', functions: ['Fr_F1m_mul'] };

const REQUEST = {
  kind: 'inputs',
  inputs: { a: 1n },
  wasm: { kind: 'circuit', handle: 1 },
  strictInputs: false,
  timeoutMs: 1000,
  memoryBytes: 2 ** 20,
  exchangeArithmetic: true,
} as const satisfies WitnessRequest;

const KEY = { curve: 'bn254', variables: 2 } as const;

/** The values 1 and `value`. */
function witnessOf(value: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes[0] = 1;
  bytes[32] = value;
  return bytes;
}

/** Runs `work` with witnesses that `calculate` gives, and returns what was computed with which modules. */
async function run(
  { request = REQUEST, isKnown = true }: { readonly request?: WitnessRequest; readonly isKnown?: boolean },
  calculate: (module: WebAssembly.Module) => Uint8Array,
  work: (witness: Uint8Array) => Promise<string>,
): Promise<{
  readonly result: Promise<string>;
  readonly modules: WebAssembly.Module[];
  readonly arithmetic: WitnessArithmetic | undefined;
}> {
  const modules: WebAssembly.Module[] = [];
  const context = {
    witnesses: {
      calculate: async ({ module }: { module: WebAssembly.Module }) => {
        modules.push(module);
        return calculate(module);
      },
    },
  } as unknown as EngineContext;
  const call = {
    signal: new AbortController().signal,
    span: (_: string, __: string, spanned: () => unknown) => spanned(),
    notice: () => undefined,
  } as unknown as Call;
  const circuit = {
    inputs: new Set<string>(),
    compile: async ({ exchangeArithmetic }: CircuitForm) =>
      exchangeArithmetic && isKnown
        ? { module: EXCHANGED, arithmetic: OURS }
        : { module: PLAIN, arithmetic: { by: 'circuit', because: exchangeArithmetic ? 'unknown' : 'option' } },
  } as unknown as LoadedCircuit;
  const result = withWitness(context, call, request, { expected: KEY, loadedCircuit: () => circuit }, work);
  await result.catch(() => undefined);
  return { result, modules, arithmetic: call.arithmetic };
}

const rejected = new PippinError('WITNESS_REJECTED', 'expected inputs that the circuit accepts, got others');
const invalid = new PippinError('PROOF_INVALID', 'expected a proof that holds, got one that does not');

describe('withWitness', () => {
  it('takes the exchanged arithmetic where it is known and wanted, and frees the witness', async () => {
    let seen: Uint8Array | undefined;
    const work = async (witness: Uint8Array): Promise<string> => {
      seen = witness;
      return String(witness[32]);
    };
    const { result, modules, arithmetic } = await run({}, () => witnessOf(7), work);
    expect(await result).toBe('7');
    expect(modules).toEqual([EXCHANGED]);
    expect(seen?.length).toBe(0);
    const request = { ...REQUEST, exchangeArithmetic: false };
    const unwanted = await run({ request }, () => witnessOf(7), work);
    expect(unwanted.modules).toEqual([PLAIN]);
    const unknown = await run({ isKnown: false }, () => witnessOf(7), work);
    expect(unknown.modules).toEqual([PLAIN]);
    expect([arithmetic, unwanted.arithmetic, unknown.arithmetic]).toEqual([
      OURS,
      { by: 'circuit', because: 'option' },
      { by: 'circuit', because: 'unknown' },
    ]);
  });

  it('computes again with the circuit as it is when that rejects its inputs, or the proof does not hold', async () => {
    const rejecting = await run(
      {},
      (module) => {
        if (module === EXCHANGED) throw rejected;
        return witnessOf(8);
      },
      async (witness) => String(witness[32]),
    );
    expect(await rejecting.result).toBe('8');
    expect(rejecting.modules).toEqual([EXCHANGED, PLAIN]);
    expect(rejecting.arithmetic).toEqual({ by: 'circuit', because: 'retried' });
    const failing = await run(
      {},
      (module) => witnessOf(module === EXCHANGED ? 9 : 8),
      async (witness) => {
        if (witness[32] === 9) throw invalid;
        return String(witness[32]);
      },
    );
    expect(await failing.result).toBe('8');
    expect(failing.modules).toEqual([EXCHANGED, PLAIN]);
  });

  it('blames the inputs or the key after that, and retries nothing else', async () => {
    const refuse = (error: Error) => () => {
      throw error;
    };
    for (const isKnown of [true, false]) {
      const modules = isKnown ? [EXCHANGED, PLAIN] : [PLAIN];
      const inputs = await run({ isKnown }, refuse(rejected), async () => '');
      await expect(inputs.result).rejects.toBe(rejected);
      expect(inputs.modules).toEqual(modules);
      const key = await run({ isKnown }, () => witnessOf(1), refuse(invalid) as () => never);
      await expect(key.result).rejects.toBe(invalid);
      expect(key.modules).toEqual(modules);
    }
    const aborted = new PippinError('ABORTED', 'expected to go on, got an abort');
    const ended = await run({}, refuse(aborted), async () => '');
    await expect(ended.result).rejects.toBe(aborted);
    expect(ended.modules).toEqual([EXCHANGED]);
  });
});

describe('withWitness with a file in memory', () => {
  const call = { span: (_: string, __: string, spanned: () => unknown) => spanned() } as unknown as Call;
  const prove = (bytes: Uint8Array, work: (witness: Uint8Array) => Promise<unknown>, variables = 2) => {
    const request = { kind: 'file', source: { kind: 'bytes', bytes } } as const;
    const key = { expected: { curve: 'bn254', variables }, loadedCircuit: () => expect.unreachable() } as const;
    return withWitness({} as EngineContext, call, request, key, work).finally(() => forgetWitness(request));
  };
  const isAllZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

  it('uses it where it is, and frees it', async () => {
    const file = writeWtns(witnessOf(9), bn254.fr.modulus);
    const last = await prove(file, async (witness) => [witness.buffer === file.buffer, witness[32]]);
    expect(last).toEqual([true, 9]);
    expect(file.length).toBe(0);
  });

  it.each(['used', 'that is refused', 'whose proof fails'])('overwrites shared memory of one %s', async (which) => {
    const { copy, fill } = new SharedCopies().begin(writeWtns(witnessOf(9), bn254.fr.modulus));
    const work = async (witness: Uint8Array): Promise<number> => {
      if (which === 'whose proof fails') throw invalid;
      return witness[32]!;
    };
    const proving = prove(copy, work, which === 'that is refused' ? 3 : 2);
    fill();
    if (which === 'used') expect(await proving).toBe(9);
    else await expect(proving).rejects.toThrow(PippinError);
    await expect.poll(() => stateOf(copy.buffer)[DIRTY_BYTES]).toBe(0);
    expect(isAllZero(copy)).toBe(true);
  });
});
