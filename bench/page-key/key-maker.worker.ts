import type { KeyAnswer, KeyRequest } from '../../examples/benchmark/src/key/messages.js';
import { joinBytes } from '../../sdk/base/bytes.js';
import type { GroupId } from '../../sdk/curves/index.js';
import { createKernel, type Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { type GeneratorMultiples, makeKey } from '../cpu/setup/make-key.js';
import { chainCircuit } from '../gpu-proof/chain.js';
import { plonkChain } from '../plonk/chain.js';
import { makeFflonkKey } from '../plonk/make-fflonk-key.js';
import { makePlonkKey } from '../plonk/make-plonk-key.js';
import type { MultiplesTask } from './multiples.worker.js';

/**
 * The worker of examples/benchmark that makes a key and a witness for a chain of multiplications. The key's
 * secrets are derived from words that everybody can read, so it serves for timing alone: anyone can forge proofs for
 * it.
 */

/** Scalars in a task: few enough that progress moves. */
const TASK = 512;
/** A multiple in G2 takes so many times as long as one in G1. */
const G2_COST = 3;

/** Started with the first key, and kept for later ones. */
let multiples: MultiplesOfWorkers | undefined;

addEventListener('message', async ({ data }: MessageEvent<KeyRequest>) => {
  try {
    multiples ??= new MultiplesOfWorkers(data.threads, data.wasm);
    const { zkey, witness } = await makeFor(data, multiples);
    answer({ kind: 'key', zkey: wholeBuffer(zkey), witness: wholeBuffer(witness) });
  } catch (error) {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

interface Made {
  readonly zkey: Uint8Array;
  readonly witness: Uint8Array;
}

async function makeFor(request: KeyRequest, multiples: MultiplesOfWorkers): Promise<Made> {
  const { protocol, log } = request;
  if (protocol === 'groth16') {
    const { circuit, witness } = chainCircuit(log);
    // Points for A, B1, C and H in G1, and for B2 in G2.
    multiples.expect((4 + G2_COST) * 2 ** log);
    return { zkey: await makeKey(circuit, multiples), witness };
  }
  const { circuit, witness } = plonkChain(log);
  const [make, powers] = protocol === 'plonk' ? [makePlonkKey, 1] : [makeFflonkKey, 9];
  multiples.expect(powers * 2 ** log);
  return { zkey: await make(circuit, await loadKernel(request), multiples), witness };
}

/** A kernel on this thread, for transforms. */
async function loadKernel({ wasm, scalarsWasm }: KeyRequest): Promise<Kernel> {
  const compile = async (url: string): Promise<WebAssembly.Module> =>
    WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  return createKernel('bn254', { points: await compile(wasm), scalars: await compile(scalarsWasm) });
}

/** Multiples of the generators, made by several workers. They end with this one. */
class MultiplesOfWorkers implements GeneratorMultiples {
  private readonly workers: Worker[];
  private done = 0;
  private total = 1;

  constructor(
    threads: number,
    private readonly wasm: string,
  ) {
    this.workers = Array.from(
      { length: threads },
      () => new Worker(new URL('./multiples.worker.ts', import.meta.url), { type: 'module' }),
    );
  }

  /** Begins to count anew. @param total the cost of all multiples of a key, in those of G1 */
  expect(total: number): void {
    this.done = 0;
    this.total = total;
  }

  async of(group: GroupId, scalars: readonly bigint[]): Promise<Uint8Array> {
    const count = Math.ceil(scalars.length / TASK);
    const parts = new Array<Uint8Array>(count);
    let next = 0;
    await Promise.all(
      this.workers.map(async (worker) => {
        while (next < count) {
          const task = next++;
          const some = scalars.slice(task * TASK, (task + 1) * TASK);
          parts[task] = await ask(worker, { group, scalars: some, wasm: this.wasm });
          this.done += some.length * (group === 'g2' ? G2_COST : 1);
          answer({ kind: 'progress', fraction: Math.min(1, this.done / this.total) });
        }
      }),
    );
    return joinBytes(parts);
  }
}

function ask(worker: Worker, task: MultiplesTask): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) =>
      reject(new Error(message ?? 'a script of this page could not be loaded; reload the page'));
    worker.postMessage(task);
  });
}

function wholeBuffer(bytes: Uint8Array): ArrayBuffer {
  return (bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()).buffer as ArrayBuffer;
}

function answer(message: KeyAnswer): void {
  postMessage(message, { transfer: message.kind === 'key' ? [message.zkey, message.witness] : [] });
}
