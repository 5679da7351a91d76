import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BinarySource, Circuit, Groth16Key, Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FileServer } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let test: TestCircuit;
let folder: string;
let server: FileServer;
let prover: Prover;
let key: Groth16Key;
beforeAll(async () => {
  test = await testCircuit('smallest');
  folder = await mkdtemp(join(tmpdir(), 'pippin-circuit-'));
  server = await FileServer.start();
  prover = await newProver();
  key = await prover.groth16.loadKey(test.zkey);
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await server.stop();
  await rm(folder, { recursive: true });
  await endSnarkjs();
});

const newProver = (onNotice: (notice: Notice) => void = () => undefined): Promise<Prover> =>
  inPlaceProver({ backend: 'wasm', threads: 1, cache: { directory: folder }, onNotice });

async function expectProof(by: Prover, withKey: Groth16Key, circuit: Circuit | BinarySource): Promise<void> {
  const { proof, publicSignals } = await by.groth16.fullProve(withKey, test.inputs, circuit);
  expect(await by.groth16.verify(test.verificationKey, publicSignals, proof)).toBe(true);
}

describe('a loaded circuit', () => {
  it('tells whose arithmetic computed the witness, and keeps its instance for the next one', async () => {
    const circuit = await prover.groth16.loadCircuit(test.wasm);
    const { instantiate } = WebAssembly;
    let started = 0;
    Object.assign(WebAssembly, {
      instantiate: (...args: Parameters<typeof instantiate>) => {
        started++;
        return instantiate(...args);
      },
    });
    const prove = async (wasm: Circuit | BinarySource, exchangeArithmetic = true): Promise<unknown> =>
      (await prover.groth16.fullProve(key, test.inputs, wasm, { exchangeArithmetic })).report.arithmetic;
    try {
      const first = await prove(circuit);
      expect(first).toMatchObject({ by: 'pippin' });
      expect((first as { functions: string[] }).functions).toContain('Fr_F1m_mul');
      const before = started;
      expect(await prove(circuit)).toEqual(first);
      expect(started).toBe(before);
    } finally {
      Object.assign(WebAssembly, { instantiate });
    }
    expect(await prove(circuit, false)).toEqual({ by: 'circuit', because: 'option' });
    expect(await prove(test.wasm)).toEqual({ by: 'circuit', because: 'small' });
    await circuit.dispose();
  });

  it('proves many times, also with another limit of memory, and its file is fetched once', async () => {
    server.files.set('/circuit', { bytes: test.wasm });
    server.take();
    const circuit = await prover.groth16.loadCircuit(server.url('/circuit'));
    await expectProof(prover, key, circuit);
    await expectProof(prover, key, circuit);
    const memory = { witnessMemory: 2 ** 26 };
    await prover.groth16.fullProve(key, test.inputs, circuit, memory);
    expect(server.take().requests).toEqual(['GET /circuit']);
    await expect(prover.groth16.fullProve(key, test.inputs, circuit, { witnessMemory: 1 })).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    });
    await expectProof(prover, key, circuit);
    await circuit.dispose();
    await circuit.dispose();
    await expect(prover.groth16.fullProve(key, test.inputs, circuit)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('is taken from every kind of source, and a file still is', async () => {
    for (const source of [test.wasm, test.wasm.slice().buffer, new Blob([new Uint8Array(test.wasm)])]) {
      const circuit = await prover.groth16.loadCircuit(source, { sha256: hashOf(test.wasm) });
      await expectProof(prover, key, circuit);
      await circuit.dispose();
      await expectProof(prover, key, source);
    }
    const own = new Uint8Array(test.wasm);
    const moved = await prover.groth16.loadCircuit(own, { transfer: true });
    expect(own).toHaveLength(0);
    await expectProof(prover, key, moved);
  });

  it.each<[what: string, make: () => Promise<unknown>, code: string]>([
    ['another SHA-256', () => prover.groth16.loadCircuit(test.wasm, { sha256: hashOf(test.zkey) }), 'KEY_MISMATCH'],
    ['no SHA-256', () => prover.groth16.loadCircuit(test.wasm, { sha256: 'a' }), 'INVALID_ARGUMENT'],
    ['no source', () => prover.groth16.loadCircuit(1 as unknown as string), 'INVALID_ARGUMENT'],
    ['no WASM', () => prover.groth16.loadCircuit(test.zkey), 'UNSUPPORTED_FORMAT'],
    ['a file that is missing', () => prover.groth16.loadCircuit(server.url('/missing')), 'IO_FAILED'],
    ['too little memory', () => prover.groth16.loadCircuit(test.wasm, { witnessMemory: 1 }), 'OUT_OF_MEMORY'],
    [
      'a signal that has fired',
      () => prover.groth16.loadCircuit(test.wasm, { signal: AbortSignal.abort() }),
      'ABORTED',
    ],
    [
      'a key in its place',
      () => prover.groth16.fullProve(key, test.inputs, key as unknown as Circuit),
      'INVALID_HANDLE',
    ],
  ])('is refused with a typed error: %s', async (_, make, code) => {
    await expect(make()).rejects.toMatchObject({ code });
  });

  it('belongs to the prover that loaded it', async () => {
    const circuit = await prover.groth16.loadCircuit(test.wasm);
    const other = await newProver();
    const otherKey = await other.groth16.loadKey(test.zkey);
    await expect(other.groth16.fullProve(otherKey, test.inputs, circuit)).rejects.toMatchObject({
      code: 'INVALID_HANDLE',
    });
    await other.dispose();
  });

  it.each([
    ['with the pins of both, although the server is gone', true],
    ['by the word of the server', false],
  ])('is in the cache at the next visit, beside its key: %s', async (_, isPinned) => {
    const headers = { etag: '"one"' };
    const own = await FileServer.start();
    own.files.set('/circuit', { bytes: test.wasm, headers });
    own.files.set('/key', { bytes: test.zkey, headers });
    const pin = (bytes: Uint8Array) => (isPinned ? { sha256: hashOf(bytes) } : {});
    const load = async (by: Prover): Promise<[Groth16Key, Circuit]> => [
      await by.groth16.loadKey(own.url('/key'), pin(test.zkey)),
      await by.groth16.loadCircuit(own.url('/circuit'), pin(test.wasm)),
    ];
    const first = await newProver();
    const [, circuit] = await load(first);
    expect(circuit.report.cached).toBe(false);
    await first.dispose();
    own.take();
    if (isPinned) await own.stop();
    const notices: Notice[] = [];
    const second = await newProver((notice) => notices.push(notice));
    const [keyAgain, circuitAgain] = await load(second);
    expect([keyAgain.report.cached, circuitAgain.report.cached]).toEqual([true, true]);
    await expectProof(second, keyAgain, circuitAgain);
    expect(own.take().bytes).toBe(0);
    expect(notices).toEqual([]);
    await second.dispose();
    if (!isPinned) await own.stop();
  });

  it('names an input that is missing if it was told its name, or has seen it', async () => {
    const { groth16 } = prover;
    const load = (inputs: unknown) => groth16.loadCircuit(test.wasm, { inputs: inputs as string[] });
    const messageFor = (circuit: Circuit): Promise<string> =>
      groth16.fullProve(key, {}, circuit).then(
        () => 'a proof',
        ({ message }) => message,
      );
    const [unnamed, named] = [await groth16.loadCircuit(test.wasm), await load(['root', 'stem'])];
    expect(await messageFor(unnamed)).toMatch(/: missing is an input of 1 value$/);
    expect(await messageFor(named)).toMatch(/: missing is the input root \(1 value\)$/);
    await expectProof(prover, key, unnamed);
    expect(await messageFor(unnamed)).toMatch(/: missing is the input root \(1 value\)$/);
    for (const inputs of ['root', [1], { 0: 'root' }, new Array(2 ** 20)]) {
      await expect(load(inputs)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^expected inputs as a list/),
      });
    }
  });
});
