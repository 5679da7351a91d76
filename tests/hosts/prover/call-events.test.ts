import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ProverEvent, ProverOptions } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { Listener } from '../../../sdk/base/listener.js';
import { CallEvents } from '../../../sdk/hosts/prover/call-events.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { inPlaceProver } from '../../support/in-place-prover.js';

let test: TestCircuit;
beforeAll(async () => {
  test = await testCircuit('smallest');
}, MAKING_TIMEOUT);
afterAll(() => endSnarkjs());

const newProver = (onEvent: NonNullable<ProverOptions['onEvent']>) =>
  inPlaceProver({ backend: 'wasm', threads: 1, onEvent });

/** The begins and ends of calls. */
const ends = (events: readonly ProverEvent[]): unknown[] =>
  events.flatMap(({ call, name, event }) => {
    if (event.kind === 'call-begin') return [[call, name, 'begin']];
    return event.kind === 'call-end' ? [[call, name, event.error ?? 'done', event.report !== undefined]] : [];
  });

it('tells of every call of a prover, from its begin to its end', async () => {
  const events: ProverEvent[] = [];
  const prover = await newProver((event) => events.push(event));
  const key = await prover.groth16.loadKey(test.zkey);
  const { publicSignals, proof } = await prover.groth16.fullProve(key, test.inputs, test.wasm);
  await prover.groth16.verify(key.verificationKey, publicSignals, proof);
  await prover.dispose();

  expect(ends(events)).toEqual([
    [1, 'loadKey', 'begin'],
    [1, 'loadKey', 'done', true],
    [2, 'fullProve', 'begin'],
    [2, 'fullProve', 'done', true],
    [3, 'verify', 'begin'],
    [3, 'verify', 'done', false],
  ]);
  const proved = events.filter(({ call }) => call === 2).map(({ event }) => event);
  expect(proved.some((event) => event.kind === 'span' && event.span.phase === 'msm')).toBe(true);
  expect(proved.find((event) => event.kind === 'progress')).toMatchObject({ total: 100 });
  expect(proved.at(-1)).toMatchObject({ kind: 'call-end', ms: expect.any(Number), report: { backend: 'wasm' } });
});

it('shows neither the points of a proof nor its inputs', async () => {
  const events: ProverEvent[] = [];
  const prover = await newProver((event) => events.push(event));
  const key = await prover.groth16.loadKey(test.zkey);
  const { proof } = await prover.groth16.fullProve(key, test.inputs, test.wasm);
  await prover.dispose();
  const text = JSON.stringify(events);
  for (const coordinate of [...proof.pi_a.slice(0, 2), ...proof.pi_c.slice(0, 2)])
    expect(text).not.toContain(coordinate);
});

it('tells the code of what failed, and nothing of a call that was refused before it began', async () => {
  const events: ProverEvent[] = [];
  const prover = await newProver((event) => events.push(event));
  await expect(prover.groth16.loadKey(new Uint8Array(8))).rejects.toThrow();
  await expect(prover.groth16.loadKey(test.zkey, { sha256: 'short' })).rejects.toThrow();
  const controller = new AbortController();
  const aborted = prover.groth16.loadKey(test.zkey, { signal: controller.signal });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  const count = events.length;
  await prover.groth16.loadKey(test.zkey).then(({ dispose }) => dispose());
  expect(events.slice(count).filter(({ call }) => call === 2)).toEqual([]);
  await prover.dispose();
  expect(ends(events)).toEqual([
    [1, 'loadKey', 'begin'],
    [1, 'loadKey', 'MALFORMED_FILE', false],
    [2, 'loadKey', 'begin'],
    [2, 'loadKey', 'ABORTED', false],
    [3, 'loadKey', 'begin'],
    [3, 'loadKey', 'done', true],
  ]);
});

it('refuses a listener that is no function', async () => {
  await expect(newProver('no' as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('a listener that throws fails no call', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const prover = await newProver(() => {
    throw new Error('a listener failed');
  });
  const key = await prover.groth16.loadKey(test.zkey);
  await key.dispose();
  await prover.dispose();
  expect(error).toHaveBeenCalledTimes(1);
  expect(error.mock.calls[0]?.[0]).toContain('onEvent');
  error.mockRestore();
});

it('leaves out the lines of a circuit, in events and in reports, and passes on notices of no call', async () => {
  const told: ProverEvent[] = [];
  const events = new CallEvents(new Listener<ProverEvent>('onEvent', (event) => told.push(event)));
  const log = { code: 'CIRCUIT_LOG', message: 'secret' } as const;
  const ready = { code: 'WEBGPU_READY', message: 'ready' } as const;
  const report = { notices: [log, ready] };
  await events.around(7, 'prove', async () => {
    events.pass(7, { kind: 'notice', notice: log });
    events.pass(7, { kind: 'commitment', name: 'A', point: ['1', '2', '1'] });
    return { report };
  });
  events.pass(0, { kind: 'notice', notice: ready });
  events.pass(7, { kind: 'notice', notice: ready });
  events.pass(7, { kind: 'progress', phase: 'msm', done: 1, total: 100 });
  await expect(
    events.around(8, 'msm', () => Promise.reject(new PippinError('DEVICE_LOST', 'lost'))),
  ).rejects.toMatchObject({ code: 'DEVICE_LOST' });
  expect(told.map(({ call, name, event }) => [call, name, event.kind])).toEqual([
    [7, 'prove', 'call-begin'],
    [7, 'prove', 'call-end'],
    [0, undefined, 'notice'],
    [0, undefined, 'notice'],
    [8, 'msm', 'call-begin'],
    [8, 'msm', 'call-end'],
  ]);
  expect(told[1]?.event).toMatchObject({ report: { notices: [ready] } });
  expect(report.notices).toHaveLength(2);
});
