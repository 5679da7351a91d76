import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallOptions, Prover } from '../../sdk/api/index.js';
import type { BegunSpan, ProgressEvent } from '../../sdk/api/progress.js';
import { loadThenProve } from '../../sdk/hosts/session/kept-keys.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FileServer } from '../support/file-server.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let circuit: TestCircuit;
let server: FileServer;
let prover: Prover;
beforeAll(async () => {
  circuit = await testCircuit('hash');
  server = await FileServer.start();
  server.files.set('/key', { bytes: circuit.zkey });
  server.files.set('/no-length', { bytes: circuit.zkey, headers: { 'transfer-encoding': 'chunked' } });
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await server.stop();
  await endSnarkjs();
});

/** What a call tells while it runs. */
async function eventsOf(call: (options: CallOptions) => Promise<unknown>): Promise<ProgressEvent[]> {
  const events: ProgressEvent[] = [];
  await call({ onProgress: (event) => void events.push(event) });
  return events;
}

const nameOf = ({ phase, part, executor, start }: BegunSpan): string => `${phase} ${part} ${executor} ${start}`;

/** Checks that progress never falls and stays within the total, and returns where it ends. */
function expectRising(events: readonly ProgressEvent[]): number {
  let shown = 0;
  for (const event of events) {
    if (event.kind !== 'progress') continue;
    expect(event.total).toBe(100);
    expect(event.done).toBeGreaterThanOrEqual(shown);
    expect(event.done).toBeLessThanOrEqual(event.total);
    shown = event.done;
  }
  return shown;
}

/**
 * Checks what must hold for every call that succeeds, and returns the phases in the order in which progress first told
 * them.
 */
function checked(events: readonly ProgressEvent[]): string[] {
  const open = new Map<string, string>();
  const phases: string[] = [];
  const shown = expectRising(events);
  for (const event of events) {
    if (event.kind === 'begin') open.set(nameOf(event.span), event.span.phase);
    if (event.kind === 'span') expect(open.delete(nameOf(event.span))).toBe(true);
    if (event.kind !== 'progress') continue;
    if (!phases.includes(event.phase)) phases.push(event.phase);
  }
  expect(open.size).toBe(0);
  expect(shown).toBe(100);
  const begun = events.flatMap((event) => (event.kind === 'begin' ? [event.span.phase] : []));
  expect([...new Set(begun)].filter((phase) => !phases.includes(phase))).toEqual([]);
  return phases;
}

describe('the progress of a call', () => {
  it('tells bytes while a key is downloaded, then every phase', async () => {
    const events = await eventsOf((options) => prover.groth16.loadKey(server.url('/key'), options));
    expect(checked(events)).toEqual(['read', 'prepare', 'distribute']);
    const bytes = events.flatMap((event) => (event.kind === 'bytes' ? [event] : []));
    const total = circuit.zkey.length;
    expect(bytes[0]).toEqual({ kind: 'bytes', phase: 'read', done: 0, total });
    expect(bytes.at(-1)).toEqual({ kind: 'bytes', phase: 'read', done: total, total });
  });

  it('tells bytes of a key whose length the server does not say', async () => {
    const events = await eventsOf((options) => prover.groth16.loadKey(server.url('/no-length'), options));
    checked(events);
    const bytes = events.flatMap((event) => (event.kind === 'bytes' ? [event] : []));
    expect(bytes[0]!.total).toBeUndefined();
    expect(bytes.at(-1)).toMatchObject({ done: circuit.zkey.length, total: circuit.zkey.length });
  });

  it('tells every phase of a proof from inputs as it begins', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    const events = await eventsOf((options) => prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, options));
    const phases = checked(events);
    expect(phases.slice(0, 2)).toEqual(['read', 'witness']);
    for (const phase of ['constraints', 'transform', 'msm', 'combine', 'verify']) expect(phases).toContain(phase);
    expect(events[0]).toMatchObject({ kind: 'begin', span: { phase: 'read' } });
  });

  it('ends at the total for bases, sums and verifications', async () => {
    const points = new Uint8Array(64 * 3);
    const loading = await eventsOf((options) => prover.loadBases({ curve: 'bn254', points }, options));
    expect(checked(loading)).toContain('prepare');
    const bases = await prover.loadBases({ curve: 'bn254', points });
    expect(checked(await eventsOf((options) => prover.msm(bases, new Uint8Array(96), options)))).toContain('msm');
    const { verificationKey } = circuit;
    const key = await prover.groth16.loadKey(circuit.zkey);
    const { proof, publicSignals } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
    const verifying = (options: CallOptions) => prover.groth16.verify(verificationKey, publicSignals, proof, options);
    expect(checked(await eventsOf(verifying))).toEqual(['verify']);
    const loadingCircuit = (options: CallOptions) => prover.groth16.loadCircuit(circuit.wasm, options);
    expect(checked(await eventsOf(loadingCircuit))).toEqual(['read', 'prepare']);
  });

  it('holds for calls at the same time, aborted ones among them, and is one scale over loading and proving', async () => {
    const call = fc.record({ loads: fc.boolean(), abortAfter: fc.option(fc.nat(25), { nil: undefined }) });
    const loaded = await prover.groth16.loadKey(circuit.zkey);
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (calls) => {
        await Promise.all(
          calls.map(async ({ loads, abortAfter }) => {
            const controller = new AbortController();
            const { signal } = controller;
            const events: ProgressEvent[] = [];
            const { loading, proving } = loadThenProve(!loads, (event) => {
              events.push(event);
              if (events.length === abortAfter) controller.abort();
            });
            const prove = async (): Promise<void> => {
              const key = loads ? await prover.groth16.loadKey(circuit.zkey, { signal, onProgress: loading }) : loaded;
              await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, { signal, onProgress: proving });
              if (loads) await key.dispose();
            };
            const isAborted = await prove().then(
              () => false,
              ({ code }) => code === 'ABORTED',
            );
            expect(isAborted && !signal.aborted).toBe(false);
            if (isAborted) expectRising(events);
            else expect(checked(events).includes('distribute')).toBe(loads);
          }),
        );
      }),
      { numRuns: 15 },
    );
  });

  it('never reaches the total in a call that fails', async () => {
    const events: ProgressEvent[] = [];
    const options = { onProgress: (event: ProgressEvent) => void events.push(event) };
    await expect(prover.groth16.loadKey(new Uint8Array(9), options)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    expect(events.some((event) => event.kind === 'progress' && event.done === 100)).toBe(false);
    expect(events.filter(({ kind }) => kind === 'begin')).toHaveLength(
      events.filter(({ kind }) => kind === 'span').length,
    );
  });
});
