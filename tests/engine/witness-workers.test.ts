import { afterEach, describe, expect, it } from 'vitest';
import { WitnessWorkers } from '../../sdk/engine/witness-workers.js';
import { PippinError } from '../../sdk/errors.js';
import { FakeWorker } from '../support/fake-worker.js';

const EMPTY = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
const NEVER = new AbortController().signal;

/** Answers with the value of the input `byte`, refuses without one, and never answers when asked to `hang`. */
const host = {
  async calculate(_module: WebAssembly.Module, inputs: { byte?: number; hang?: boolean }): Promise<Uint8Array> {
    if (inputs.hang) await new Promise(() => undefined);
    if (inputs.byte === undefined) throw new PippinError('WITNESS_REJECTED', 'expected a byte, got none');
    return new Uint8Array([inputs.byte]);
  },
};

let workers: FakeWorker[] = [];
let witnesses: WitnessWorkers;
function start(): void {
  workers = [];
  witnesses = new WitnessWorkers(() => {
    const worker = new FakeWorker(() => host);
    workers.push(worker);
    return worker;
  });
}
const calculate = (inputs: object, signal = NEVER): Promise<Uint8Array> =>
  witnesses.calculate(EMPTY, inputs as never, 'bn254', signal);

describe('WitnessWorkers', () => {
  afterEach(() => witnesses.dispose());

  it('uses a worker again, and another one for a calculation beside it', async () => {
    start();
    expect(await calculate({ byte: 1 })).toEqual(new Uint8Array([1]));
    expect(await calculate({ byte: 2 })).toEqual(new Uint8Array([2]));
    expect(workers.length).toBe(1);
    const both = await Promise.all([calculate({ byte: 3 }), calculate({ byte: 4 })]);
    expect(both).toEqual([new Uint8Array([3]), new Uint8Array([4])]);
    // One of the two is kept.
    expect(workers.map((worker) => worker.terminated).filter(Boolean).length).toBe(1);
    await calculate({ byte: 5 });
    expect(workers.length).toBe(2);
  });

  it('ends the worker of a calculation that fails, with its error', async () => {
    start();
    await expect(calculate({})).rejects.toMatchObject({ code: 'WITNESS_REJECTED' });
    expect(workers[0]!.terminated).toBe(true);
    expect(await calculate({ byte: 6 })).toEqual(new Uint8Array([6]));
    expect(workers.length).toBe(2);
  });

  it('ends the worker of an aborted calculation at once, and starts none for an aborted signal', async () => {
    start();
    const controller = new AbortController();
    const call = calculate({ hang: true }, controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(workers[0]!.terminated).toBe(true);
    await expect(calculate({ byte: 1 }, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    expect(workers.length).toBe(1);
  });

  it('tells of a worker that dies, busy or idle, and goes on with another', async () => {
    start();
    const call = calculate({ hang: true });
    workers[0]!.die();
    await expect(call).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    await calculate({ byte: 1 });
    workers[1]!.die();
    expect(await calculate({ byte: 2 })).toEqual(new Uint8Array([2]));
    expect(workers.length).toBe(3);
  });

  it('ends what it keeps when it is disposed, and what comes back after that', async () => {
    start();
    await calculate({ byte: 1 });
    const late = calculate({ byte: 2 });
    witnesses.dispose();
    await late;
    expect(workers.every((worker) => worker.terminated)).toBe(true);
  });
});
