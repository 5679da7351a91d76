import { setImmediate as messagesHandled } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';
import {
  type KernelArguments,
  type KernelEvent,
  KernelHost,
  type KernelMethod,
  type KernelResult,
} from '../../sdk/executors/workers/kernel/kernel-host.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { FakeWorker } from '../support/fake-worker.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let circuit: TestCircuit;
let prover: Prover;
let key: Groth16Key;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  // Everything is on this thread, so that its counts are those of all threads.
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
  key = await prover.groth16.loadKey(circuit.zkey);
}, MAKING_TIMEOUT);
afterAll(() => prover.dispose());

it('leaves no copies of a circuit to the garbage collector', async () => {
  // A section of its own makes the circuit large beside everything else that a proof needs.
  const padding = 2 ** 22;
  const length = [0, 7, 14, 21].map((shift) => ((padding >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  const wasm = new Uint8Array([...circuit.wasm, 0, ...length, ...new Uint8Array(padding)]);
  await prover.groth16.fullProve(key, circuit.inputs, wasm);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 4; i++) await prover.groth16.fullProve(key, circuit.inputs, wasm);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});

/** Bytes that the prepared points and matrices on the workers take at least, by their names. */
class Held {
  private readonly bytes = new Map<string, number>();
  peak = 0;
  loads = 0;

  set(name: string, bytes: number): void {
    this.bytes.set(name, bytes);
    this.loads++;
    this.peak = Math.max(
      this.peak,
      [...this.bytes.values()].reduce((sum, each) => sum + each, 0),
    );
  }

  delete(name: string): void {
    this.bytes.delete(name);
  }
}

/** A kernel whose data are counted. */
class CountedHost extends KernelHost {
  constructor(
    emit: (event: KernelEvent) => void,
    private readonly worker: number,
    private readonly held: Held,
  ) {
    super(emit, messagesHandled);
  }

  override async run<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    task: number,
  ): Promise<KernelResult<M>> {
    const { id, points, piece } = args as {
      id?: string;
      points?: Uint8Array;
      piece?: { from: number; count: number };
    };
    const name = `${this.worker} ${id}`;
    if (method === 'loadShard') this.held.set(name, points!.length);
    // A row and a column, a coefficient's address, and the coefficient.
    if (method === 'loadConstraints' && piece!.from === 0) this.held.set(name, piece!.count * (12 + 32));
    const result = await super.run(curve, method, args, task);
    if (method === 'releaseShard' || method === 'releaseConstraints') this.held.delete(name);
    return result;
  }
}

/** Two proofs of a key that hold, with what the workers hold meanwhile. */
async function heldFor(zkey: Uint8Array, witness: Uint8Array, memoryBudget?: number): Promise<Held> {
  const held = new Held();
  let workers = 0;
  const spawnKernel = () => {
    const worker = workers++;
    return new FakeWorker((emit: (event: KernelEvent) => void) => new CountedHost(emit, worker, held));
  };
  const limit = memoryBudget === undefined ? {} : { memoryBudget };
  const bounded = await inPlaceProver({ backend: 'wasm', threads: 2, ...limit }, { spawnKernel });
  try {
    const loaded = await bounded.groth16.loadKey(zkey);
    for (let i = 0; i < 2; i++) await bounded.groth16.prove(loaded, witness);
    return held;
  } finally {
    await bounded.dispose();
  }
}

it('bounds what the workers keep by memoryBudget, down to a floor that the error names', async () => {
  const { zkey, ...rest } = await testCircuit('hash');
  const witness = await snarkjsWitness({ zkey, ...rest });
  const usual = await heldFor(zkey, witness);
  const half = await heldFor(zkey, witness, Math.floor(usual.peak / 2));
  expect(half.peak).toBeLessThanOrEqual(usual.peak / 2);
  // What had to make room was loaded again.
  expect(half.loads).toBeGreaterThan(usual.loads);
  const error = (await heldFor(zkey, witness, 1).catch((caught: unknown) => caught)) as Error;
  expect(error).toMatchObject({ code: 'OUT_OF_MEMORY' });
  const [, floor] = /^expected a memoryBudget of at least (\d+) bytes for this key, got 1$/.exec(error.message)!;
  await expect(heldFor(zkey, witness, Number(floor) - 1)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  expect((await heldFor(zkey, witness, Number(floor))).peak).toBeLessThanOrEqual(Number(floor));
}, 120_000);
