import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Groth16Key, ProveOptions, Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { createProver } from '../support/prover.js';
import { op, tinyCircuit } from '../support/tiny-circuit.js';

let prover: Prover;
let circuit: TestCircuit;
let key: Groth16Key;
const notices: Notice[] = [];
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  prover = await createProver({
    backend: 'wasm',
    threads: 1,
    cache: false,
    onNotice: (notice) => notices.push(notice),
  });
  key = await prover.groth16.loadKey(circuit.zkey);
}, MAKING_TIMEOUT);
afterAll(() => prover.dispose());

const LOG = [...op.call(2), ...op.constant(0), ...op.drop];

it.each([
  ['a loop without end', { bodies: { init: op.forever } }, {}, 'WITNESS_FAILED'],
  ['a start without end', { start: op.forever }, {}, 'WITNESS_FAILED'],
  [
    'an error message without end',
    { bodies: { getMessageChar: op.constant(65), init: op.call(1) } },
    {},
    'WITNESS_FAILED',
  ],
  ['words without end', { bodies: { getFieldNumLen32: op.constant(0x7fffffff) } }, {}, 'WITNESS_FAILED'],
  ['lines without end', { bodies: { getMessageChar: op.constant(0), init: op.loop(LOG) } }, {}, 'WITNESS_FAILED'],
  [
    'a memory that grows without end',
    { bodies: { init: op.loop([...op.constant(1000), ...op.grow, ...op.drop]) } },
    { witnessMemory: 2 ** 26 },
    'WITNESS_FAILED',
  ],
  ['more memory than it may have', { memory: [2000] }, { witnessMemory: 2 ** 26 }, 'OUT_OF_MEMORY'],
  ['a trap', { bodies: { init: op.unreachable } }, {}, 'WITNESS_FAILED'],
] as const)(
  '%s in a circuit is stopped, and the next proof is made',
  async (_, hostile, options: ProveOptions, code) => {
    const wasm = tinyCircuit(hostile);
    const call = prover.groth16.fullProve(key, {}, wasm, { witnessTimeout: 300, ...options });
    await expect(call).rejects.toMatchObject({ name: 'PippinError', code });
    const { publicSignals } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
    expect(publicSignals).toEqual(expect.any(Array));
    expect(notices).toEqual([]);
  },
);

it.each([
  { witnessTimeout: 0 },
  { witnessTimeout: Number.POSITIVE_INFINITY },
  { witnessTimeout: '5' as never },
  { witnessMemory: 0 },
  { witnessMemory: 2 ** 33 },
])('refuses %o', async (options) => {
  await expect(prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, options)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});
