import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CurveId } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import type { Groth16Key, Notice, Prover } from '../../sdk/node.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness } from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver, example, exampleWtns, snarkjsVerifies } from '../support/example.js';
import { type Groth16Circuit, testGroth16 } from '../support/groth16-suite.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { createProver } from '../support/prover.js';
import { quickest } from '../support/quickest.js';

let wtns: Uint8Array;
beforeAll(async () => {
  wtns = await exampleWtns();
});
afterAll(endSnarkjs);

/** The example's circuit over BN254, and a small one over the other curves. */
async function circuitOver(curve: CurveId): Promise<Groth16Circuit> {
  if (curve === 'bn254') return { ...example, zkey: example.zkeyPath, wasm: example.wasmPath, witness: wtns };
  const circuit = await chainOver(curve);
  return { ...circuit, witness: await snarkjsWitness(circuit) };
}

// On the GPU: executors/gpu/proofs/groth16.test.ts.
describe.each(KEY_CURVES)('groth16 over $id', ({ id }) => {
  testGroth16(id, 'wasm', async () => [
    await circuitOver(id),
    await createProver({ backend: 'wasm', threads: 2, cache: false }),
  ]);
});

describe('groth16 inputs', () => {
  let prover: Prover;
  let key: Groth16Key;
  let zkey: Uint8Array;
  beforeAll(async () => {
    prover = await createProver({ backend: 'wasm', threads: 2, cache: false });
    zkey = new Uint8Array(await readFile(example.zkeyPath));
    key = await prover.groth16.loadKey(zkey);
  });
  afterAll(() => prover.dispose());

  it('reads keys and witnesses from bytes, buffers and Blobs', async () => {
    const fromBlob = await prover.groth16.loadKey(new Blob([zkey as Uint8Array<ArrayBuffer>]));
    expect(fromBlob.variables).toBe(key.variables);
    const { proof, publicSignals } = await prover.groth16.prove(fromBlob, new Blob([wtns as Uint8Array<ArrayBuffer>]));
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    await fromBlob.dispose();
    await expect(prover.groth16.prove(fromBlob, wtns)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it.each([
    ['no .zkey at all', () => new Uint8Array(100), 'MALFORMED_FILE'],
    ['an empty one', () => new Uint8Array(0), 'MALFORMED_FILE'],
    ['a witness instead', () => wtns, 'MALFORMED_FILE'],
    ['a truncated one', () => zkey.subarray(0, zkey.length - 1), 'MALFORMED_FILE'],
    ['one cut in its table', () => zkey.subarray(0, 20), 'MALFORMED_FILE'],
    ['one of another version', () => zkey.with(4, 9), 'UNSUPPORTED_FORMAT'],
    ['one of another protocol', () => zkey.with(24, 2), 'UNSUPPORTED_FORMAT'],
    ['one over another curve', () => zkey.with(44, zkey[44]! ^ 2), 'CURVE_MISMATCH'],
    ['one with a coefficient of no signal', () => zkey.with(coefficientSignalAt(zkey) + 3, 0xff), 'MALFORMED_FILE'],
    [
      'one with a point off the curve',
      () => zkey.with(zkey.length - 1000, zkey[zkey.length - 1000]! ^ 1),
      'INVALID_POINT',
    ],
  ])('refuses a key that is %s', async (_, make, code) => {
    await expect(prover.groth16.loadKey(make())).rejects.toMatchObject({ name: 'PippinError', code });
  });

  it.each([
    ['no .wtns at all', () => new Uint8Array(10), 'MALFORMED_FILE'],
    ['a truncated one', () => wtns.subarray(0, wtns.length - 32), 'MALFORMED_FILE'],
    ['one over another field', () => wtns.with(30, wtns[30]! ^ 1), 'CURVE_MISMATCH'],
    ['one of another circuit', () => withCount(wtns, 7), 'INVALID_LENGTH'],
    ['one with a value that is not below r', () => wtns.with(wtns.length - 1, 0xff), 'INVALID_SCALAR'],
  ])('refuses a witness that is %s', async (_, make, code) => {
    await expect(prover.groth16.prove(key, make())).rejects.toMatchObject({ name: 'PippinError', code });
  });

  const inputs = example.inputs as Record<string, string>;
  it.each([
    ['a missing input', () => without(inputs, 'amount'), 'INVALID_INPUT'],
    ['an unknown input', () => ({ ...inputs, colour: '1' }), 'INVALID_INPUT'],
    ['too many values', () => ({ ...inputs, amount: ['1', '2'] }), 'INVALID_INPUT'],
    ['a value that is no number', () => ({ ...inputs, amount: 'much' }), 'INVALID_INPUT'],
    ['a negative value that the circuit rejects', () => ({ ...inputs, amount: -1 }), 'WITNESS_REJECTED'],
    ['a value that the circuit rejects', () => ({ ...inputs, amount: 1n << 70n }), 'WITNESS_REJECTED'],
    ['a wrong root', () => ({ ...inputs, root: '5' }), 'WITNESS_REJECTED'],
  ])('refuses %s', async (_, make, code) => {
    await expect(prover.groth16.fullProve(key, make(), example.wasmPath)).rejects.toMatchObject({
      name: 'PippinError',
      code,
    });
  });

  it('refuses what is no witness WASM', async () => {
    await expect(prover.groth16.fullProve(key, inputs, new Uint8Array(8))).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
    });
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    await expect(prover.groth16.fullProve(key, inputs, empty)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    await expect(prover.groth16.fullProve(key, inputs, '/no/such.wasm')).rejects.toMatchObject({ code: 'IO_FAILED' });
  });

  it.each(['read', 'witness', 'constraints', 'transform', 'msm', 'combine'] as const)(
    'can be aborted once %s has been done, within 200 ms, and proves afterwards',
    async (phase) => {
      const abort = async (): Promise<number> => {
        const controller = new AbortController();
        let aborted = 0;
        const call = prover.groth16.fullProve(key, example.inputs, example.wasmPath, {
          signal: controller.signal,
          onProgress: (event) => {
            if (event.kind !== 'span' || event.span.phase !== phase || controller.signal.aborted) return;
            aborted = performance.now();
            controller.abort();
          },
        });
        await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
        return performance.now() - aborted;
      };
      expect(await quickest(200, abort)).toBeLessThan(200);
      const { proof, publicSignals } = await prover.groth16.prove(key, wtns);
      expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    },
  );

  it.each(['read', 'prepare', 'distribute'] as const)('can stop loading a key once %s has begun', async (phase) => {
    const controller = new AbortController();
    const call = prover.groth16.loadKey(zkey, {
      signal: controller.signal,
      onProgress: (event) => {
        if (event.kind === 'span' && event.span.phase === phase) controller.abort();
      },
    });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await prover.groth16.loadKey(zkey)).variables).toBe(key.variables);
  });
});

describe("the prover's cache", () => {
  let directory: string;
  const cacheOf = (curve: CurveId): { directory: string } => ({ directory: join(directory, curve) });
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pippin-cache-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    for (const { id } of KEY_CURVES) await endSnarkjsOver(id);
  });

  /**
   * Loads a curve's key in a prover of its own, and proves with it if asked to; gives what was told. What does not prove
   * has its workers on this thread: to start some takes longer than to load the key.
   */
  async function visit(
    cache: { directory: string },
    proves = true,
    curve: CurveId = 'bn254',
  ): Promise<{ cached: boolean | undefined; notices: Notice[]; phases: Set<string> }> {
    const circuit = await chainOver(curve);
    const notices: Notice[] = [];
    const onNotice = (notice: Notice): void => void notices.push(notice);
    const prover = proves
      ? await createProver({ backend: 'wasm', threads: 2, cache, onNotice })
      : await inPlaceProver({ backend: 'wasm', threads: 1, cache, onNotice });
    try {
      const key = await prover.groth16.loadKey(circuit.zkey);
      if (proves) {
        const { proof, publicSignals } = await prover.groth16.prove(key, await snarkjsWitness(circuit));
        expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
      }
      return { cached: key.report.cached, notices, phases: new Set(key.report.timeline.map((span) => span.phase)) };
    } finally {
      await prover.dispose();
    }
  }

  async function files(): Promise<string[]> {
    const names = await readdir(cacheOf('bn254').directory, { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  it.each(KEY_CURVES)(
    'spares a later visit the preparation of a key over $id',
    async ({ id }) => {
      const first = await visit(cacheOf(id), true, id);
      expect(first).toMatchObject({ cached: false, notices: [] });
      expect(first.phases.has('prepare')).toBe(true);
      const second = await visit(cacheOf(id), true, id);
      expect(second).toMatchObject({ cached: true, notices: [] });
      expect(second.phases.has('prepare')).toBe(false);
    },
    MAKING_TIMEOUT,
  );

  it('prepares again, and says so, when any of its files is damaged or missing', async () => {
    for (const file of await files()) {
      const bytes = await readFile(file);
      for (const fault of ['damaged', 'missing'] as const) {
        if (fault === 'damaged') {
          if (bytes.length === 0) continue;
          const changed = Buffer.from(bytes);
          changed[changed.length >> 1]! ^= 0x10;
          await writeFile(file, changed);
        } else await rm(file);
        const { cached, notices } = await visit(cacheOf('bn254'), false);
        expect({ file, fault, cached }).toEqual({ file, fault, cached: false });
        // Without its manifest a record is not there, which is no damage.
        if (notices.length > 0) expect(notices.map(({ code }) => code)).toEqual(['CACHE_DAMAGED']);
      }
      expect(await visit(cacheOf('bn254'), false)).toMatchObject({ cached: true, notices: [] });
    }
  });

  it('goes on without it, and says so, where it cannot be written', async () => {
    const file = join(directory, 'a-file');
    await writeFile(file, '');
    const { cached, notices } = await visit({ directory: join(file, 'below') });
    expect(cached).toBe(false);
    expect(notices.map(({ code }) => code)).toEqual(['CACHE_UNAVAILABLE']);
  });

  it('can be cleared', async () => {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: cacheOf('bn254') });
    await prover.clearCache();
    await prover.dispose();
    expect(await visit(cacheOf('bn254'))).toMatchObject({ cached: false, notices: [] });
  });
});

/** Where the signal of the first coefficient stands in a .zkey. */
function coefficientSignalAt(zkey: Uint8Array): number {
  const view = new DataView(zkey.buffer, zkey.byteOffset);
  let at = 12;
  while (view.getUint32(at, true) !== 4) at += 12 + Number(view.getBigUint64(at + 4, true));
  return at + 12 + 4 + 8;
}

/** The witness file with another number of values in its header. */
function withCount(wtns: Uint8Array, count: number): Uint8Array {
  const changed = wtns.slice();
  new DataView(changed.buffer).setUint32(12 + 12 + 4 + 32, count, true);
  return changed;
}

function without(object: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = object;
  return rest;
}
