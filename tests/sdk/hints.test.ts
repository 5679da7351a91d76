import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, BinarySource, CircuitInputs, Groth16Key, Prover } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FileServer } from '../support/file-server.js';
import { createInPlace, inPlaceProver } from '../support/in-place-prover.js';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

let circuit: TestCircuit;
let matrix: TestCircuit;
let witness: Uint8Array;
let server: FileServer;
let prover: Prover;
let other: Prover;
let key: Groth16Key;
let bases: Bases;
let disposedKey: Groth16Key;
beforeAll(async () => {
  circuit = await testCircuit('hash');
  matrix = await testCircuit('matrix');
  witness = await snarkjsWitness(circuit);
  server = await FileServer.start();
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  other = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
  bases = await prover.loadBases({ curve: 'bn254', points: new Uint8Array(64) });
  disposedKey = await prover.groth16.loadKey(circuit.zkey);
  await disposedKey.dispose();
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await other.dispose();
  await server.stop();
  await endSnarkjs();
});

const loadKey = (source: unknown) => prover.groth16.loadKey(source as BinarySource);
const fullProve = (inputs: unknown, wasm: unknown = circuit.wasm) =>
  prover.groth16.fullProve(key, inputs as CircuitInputs, wasm as BinarySource);

type Case = readonly [what: string, call: () => Promise<unknown>, code: string, message: string, hint: string];
const CASES: readonly Case[] = [
  ['a witness as a key', () => loadKey(witness), 'MALFORMED_FILE', 'begins with "zkey"', 'give it to prove'],
  ['a key as a witness', () => prover.groth16.prove(key, circuit.zkey), 'MALFORMED_FILE', '"wtns"', 'to loadKey'],
  ['an R1CS', () => loadKey(text('r1cs\x01\0\0\0\0\0\0\0')), 'MALFORMED_FILE', '"r1cs"', '.r1cs'],
  ['a ptau', () => loadKey(text('ptau\x01\0\0\0\0\0\0\0')), 'MALFORMED_FILE', '"ptau"', 'powers of tau'],
  ['a WASM', () => loadKey(circuit.wasm), 'MALFORMED_FILE', 'begins with', 'WebAssembly'],
  ['a page', () => loadKey(text('<!doctype html><title>404')), 'MALFORMED_FILE', '"<!do"', 'HTML page'],
  ['a page as WASM', () => fullProve({}, text('<!doctype html>')), 'UNSUPPORTED_FORMAT', 'WASM', 'HTML page'],
  ['a gzip', () => loadKey(new Uint8Array(gzipSync(circuit.zkey))), 'MALFORMED_FILE', 'begins', 'unpack it'],
  ['a pointer', () => loadKey(text('version https://git-lfs.github.com/spec/v1')), 'MALFORMED_FILE', 'vers', 'Git LFS'],
  ['JSON', () => loadKey(text('{"protocol":"groth16"}')), 'MALFORMED_FILE', 'begins', 'JSON'],
  ['an empty file', () => loadKey(new Uint8Array()), 'MALFORMED_FILE', '0 bytes', 'empty'],
  ['half a key', () => loadKey(circuit.zkey.slice(0, 900)), 'MALFORMED_FILE', 'ends before', 'cut short'],
  ['a promise', () => loadKey(Promise.resolve(circuit.zkey)), 'INVALID_ARGUMENT', 'got Promise', 'await'],
  ['a response', () => loadKey(new Response()), 'INVALID_ARGUMENT', 'got Response', 'response.blob()'],
  ['nothing', () => loadKey(undefined), 'INVALID_ARGUMENT', 'got undefined', 'variable set'],
  ['numbers', () => fullProve({}, [0, 1]), 'INVALID_ARGUMENT', 'got Array', 'new Uint8Array'],
  ['a missing file', () => loadKey('/none/such.zkey'), 'IO_FAILED', '/none/such.zkey', 'no such file'],
  ['a directory', () => loadKey('/'), 'IO_FAILED', 'EISDIR', 'directory'],
  ['a missing URL', () => loadKey(server.url('/none')), 'IO_FAILED', 'status 404', 'check the path'],
  ['no server', () => loadKey('http://127.0.0.1:1/key'), 'IO_FAILED', '127.0.0.1:1', 'CORS'],
  ['text of JSON', () => fullProve('{"inputs":[1,2]}'), 'INVALID_INPUT', 'got a string', 'JSON.parse'],
  [
    'swapped arguments',
    () => fullProve(circuit.wasm, {}),
    'INVALID_INPUT',
    'got an object',
    'fullProve(key, inputs, wasm)',
  ],
  ['swapped URLs', () => fullProve('/note.wasm', {}), 'INVALID_INPUT', 'got a string', 'fullProve(key, inputs, wasm)'],
  ["snarkjs' order", () => inOrderOfSnarkjs(), 'INVALID_INPUT', 'got a string', 'await loadKey(zkey)'],
  ['another key', () => loadOther(), 'KEY_MISMATCH', 'SHA-256', 'published'],
  [
    'a missing input',
    () => fullProve({}),
    'INVALID_INPUT',
    'expected 2 input values in all, got 0 (none): missing is an input of 2 values',
    'signal input',
  ],
  [
    'an input with too few values',
    () => fullProve({ inputs: [1] }),
    'INVALID_INPUT',
    'expected 2 values for inputs, got 1',
    'signal input',
  ],
  ['an unknown input', () => fullProve({ inputs: [1, 2], extra: 1 }), 'INVALID_INPUT', 'extra', 'signal input'],
  [
    'an input that is undefined',
    () => fullProve({ inputs: [1, undefined] }),
    'INVALID_INPUT',
    'inputs[1]',
    'signal input',
  ],
  ['the witness of another circuit', () => proveOther(), 'INVALID_LENGTH', 'witness of', 'one compilation'],
  ['too little memory', () => tooLittleMemory(), 'OUT_OF_MEMORY', 'at most 1 bytes', 'witnessMemory'],
  ['a key that was disposed', () => prover.groth16.prove(disposedKey, witness), 'DISPOSED', 'disposed', 'load again'],
  ['a key of another prover', () => other.groth16.prove(key, witness), 'INVALID_HANDLE', 'another prover', 'load'],
  [
    'bases as a key',
    () => prover.groth16.prove(bases as unknown as Groth16Key, witness),
    'INVALID_HANDLE',
    'bases',
    'loadKey',
  ],
  ['a copy of a key', () => prover.groth16.prove({ ...key }, witness), 'INVALID_ARGUMENT', 'got Object', 'loadKey'],
  ['a curve by another name', () => load('bn128', new Uint8Array()), 'INVALID_ARGUMENT', 'bn128', 'mean bn254?'],
  [
    'a curve that is misspelt',
    () => load('BLS12_381', new Uint8Array()),
    'INVALID_ARGUMENT',
    'BLS12_381',
    'bls12-381?',
  ],
  ['half a point', () => load('bn254', new Uint8Array(63)), 'INVALID_LENGTH', '64 bytes each', 'x and y'],
  [
    'a point off the curve',
    () => load('bn254', new Uint8Array(64).fill(1)),
    'INVALID_POINT',
    'point 0',
    'little-endian',
  ],
  ['a scalar too large', () => prover.msm(bases, new Uint8Array(32).fill(255)), 'INVALID_SCALAR', 'scalar 0', 'modulo'],
  [
    'a controller as signal',
    () => prover.tune({ signal: new AbortController() as never }),
    'INVALID_ARGUMENT',
    'AbortController',
    'signal of',
  ],
  [
    'swapped arguments',
    () => prover.groth16.verify([] as never, [], {} as never),
    'MALFORMED_FILE',
    'verification key',
    'first',
  ],
  ['another map', () => createInPlace({ performanceMap: {} }), 'INVALID_ARGUMENT', 'map', 'tune()'],
];

const load = (curve: string, points: Uint8Array) => prover.loadBases({ curve: curve as 'bn254', points });
const loadOther = () =>
  prover.groth16.loadKey(circuit.zkey, { sha256: createHash('sha256').update(matrix.zkey).digest('hex') });
const proveOther = async () => prover.groth16.prove(key, await snarkjsWitness(matrix));
const inOrderOfSnarkjs = () =>
  prover.groth16.fullProve(circuit.inputs as unknown as Groth16Key, '/note.wasm' as never, '/note.zkey');
const tooLittleMemory = () => prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, { witnessMemory: 1 });

describe('what a caller can do wrong has a hint', () => {
  it.each(CASES)('%s', async (_, call, code, message, hint) => {
    await expect(call()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });
});
