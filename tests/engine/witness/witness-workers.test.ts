import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import { WitnessWorkers } from '../../../sdk/engine/witness/witness-workers.js';
import { FakeWorker } from '../../support/fake-worker.js';

const EMPTY = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
const TASK = {
  module: EMPTY,
  curve: 'bn254',
  strictInputs: false,
  variables: 1,
  memoryBytes: 2 ** 20,
  inputNames: [],
} as const;
const NEVER = new AbortController().signal;

type Task = { readonly inputs: { readonly byte?: number; readonly hang?: boolean; readonly log?: string } };

/**
 * Answers with the value of the input `byte`, refuses without one, logs what it is given, and never answers when asked
 * to `hang`.
 */
async function calculateByte({ inputs }: Task, emit: (line: string) => void): Promise<Uint8Array> {
  const { byte, hang, log } = inputs;
  if (log !== undefined) emit(log);
  if (hang) await new Promise(() => undefined);
  if (byte === undefined) throw new PippinError('WITNESS_REJECTED', 'expected a byte, got none');
  return new Uint8Array([byte]);
}

/** Frees everything that nothing refers to; what a finished turn of the event loop holds is let go of first. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
}

let workers: FakeWorker[] = [];
let witnesses: WitnessWorkers;
function start(): void {
  workers = [];
  witnesses = new WitnessWorkers(() => {
    const worker = new FakeWorker((emit) => ({ calculate: (task: Task) => calculateByte(task, emit) }));
    workers.push(worker);
    return worker;
  });
}
const calculate = (inputs: object, signal = NEVER, onLog = (_line: string) => {}): Promise<Uint8Array> =>
  witnesses.calculate({ ...TASK, inputs: inputs as never }, signal, 60_000, onLog);

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

  it('starts the worker of the next calculation before it, unless there is one or none can be started', async () => {
    start();
    witnesses.prepare();
    witnesses.prepare();
    expect(workers.length).toBe(1);
    expect(await calculate({ byte: 7 })).toEqual(new Uint8Array([7]));
    witnesses.prepare();
    expect(workers.length).toBe(1);
    witnesses.dispose();
    witnesses.prepare();
    expect(workers.map(({ terminated }) => terminated)).toEqual([true]);
    const none = new WitnessWorkers(() => {
      throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected an environment that starts workers');
    });
    none.prepare();
    await expect(none.calculate({ ...TASK, inputs: {} }, NEVER, 60_000, () => {})).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
    });
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

  it('starts no other worker before those that were ended have freed their memory', async () => {
    start();
    const controller = new AbortController();
    const aborted = calculate({ hang: true }, controller.signal);
    const [first] = workers;
    let free = (): void => undefined;
    const terminate = first!.terminate.bind(first);
    first!.terminate = () => {
      terminate();
      return new Promise<void>((resolve) => {
        free = resolve;
      });
    };
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    const other = new AbortController();
    const waiting = calculate({ byte: 1 });
    const gone = expect(calculate({ byte: 2 }, other.signal)).rejects.toMatchObject({ code: 'ABORTED' });
    other.abort();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(workers.length).toBe(1);
    free();
    expect(await waiting).toEqual(new Uint8Array([1]));
    await gone;
    expect(workers.length).toBe(2);
  });

  it('ends the worker of a calculation that takes too long, and goes on with another', async () => {
    start();
    const slow = witnesses.calculate({ ...TASK, inputs: { hang: true } as never }, NEVER, 20, () => undefined);
    await expect(slow).rejects.toMatchObject({ code: 'WITNESS_FAILED', message: expect.stringContaining('20 ms') });
    expect(workers[0]!.terminated).toBe(true);
    expect(await calculate({ byte: 1 })).toEqual(new Uint8Array([1]));
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

  it('hands on what each calculation logs, to its own listener', async () => {
    start();
    const [first, second]: [string[], string[]] = [[], []];
    await calculate({ byte: 1, log: 'one' }, NEVER, (line) => first.push(line));
    await calculate({ byte: 2, log: 'two' }, NEVER, (line) => second.push(line));
    const failing = calculate({ log: 'three' }, NEVER, (line) => second.push(line));
    await expect(failing).rejects.toMatchObject({ code: 'WITNESS_REJECTED' });
    expect([first, second, workers.length]).toEqual([['one'], ['two', 'three'], 1]);
  });

  it('keeps no witness, nor what a calculation was to be told to, while its worker lives', async () => {
    start();
    const refs: WeakRef<object>[] = [];
    for (let byte = 0; byte < 5; byte++) {
      const onLog = (): void => undefined;
      refs.push(new WeakRef(onLog), new WeakRef(await calculate({ byte }, new AbortController().signal, onLog)));
    }
    expect(workers.length).toBe(1);
    await collectGarbage();
    // This function's own variables may still hold those of the last calculation.
    const earlier = refs.slice(0, -2);
    expect(earlier.map((ref) => ref.deref())).toEqual(earlier.map(() => undefined));
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
