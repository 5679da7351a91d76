import type { FarmOptions, KeyPair, ProofResult } from '../../farm/src/index.js';
import { Farm, ProofQueue, readCircuits } from '../../farm/src/index.js';
import type { Groth16Proof, Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import { quantile } from '../lib/quantile.js';
import type { Subject } from './subjects.js';

/** One farm that is measured. */
export interface MeasuredFarm {
  readonly connection: string;
  readonly keys: KeyPair;
  readonly subject: Subject;
  readonly jobs: number;
  readonly options: Pick<FarmOptions, 'workers' | 'devices' | 'script' | 'prover' | 'together'>;
  readonly workers: number;
  /** Verifies all proofs afterwards. */
  readonly verifier: Prover;
}

/** What was measured. Times are milliseconds. */
export interface FarmFigures {
  /** Proofs a second while jobs wait for all workers. */
  readonly perSecond: number;
  /** From `submit` to the result, while each worker has one job at a time and none waits. */
  readonly p50: number;
  readonly p99: number;
  /** A proof at its worker, on average, while jobs wait. */
  readonly prove: number;
  /** What a worker spends from one proof to the next one while jobs wait: the queue, sealing and counting. */
  readonly between: number;
  /** What a job takes beside its proof while none waits: sealing, the queue, and until the caller knows. */
  readonly around: number;
}

/** Milliseconds of a proof on average, by a prover like those of the workers, without a queue. */
export async function measureDirect(prover: Prover, { registration, input }: Subject, proofs: number): Promise<number> {
  const { zkey, wasm } = registration;
  const key = await prover.groth16.loadKey(zkey.source);
  const circuit = wasm === undefined ? undefined : await prover.groth16.loadCircuit(wasm.source);
  const prove = () =>
    'witness' in input
      ? prover.groth16.prove(key, input.witness)
      : prover.groth16.fullProve(key, input.inputs, circuit!);
  for (let i = 0; i < 5; i++) await prove();
  const began = performance.now();
  for (let i = 0; i < proofs; i++) await prove();
  return (performance.now() - began) / proofs;
}

/** Starts a farm, lets every worker load its key, measures, and checks every proof. */
export async function measureFarm(measured: MeasuredFarm): Promise<FarmFigures> {
  const { connection, keys, subject, options, workers } = measured;
  const circuits = await readCircuits([subject.registration]);
  const prefix = `bench-${workers}-${Math.random().toString(36).slice(2)}`;
  const farm = await Farm.start({ connection, circuits, keyPairs: [keys], prefix, ...options });
  const queue = await ProofQueue.open({ connection, circuits: 'from redis', publicKey: keys.publicKey, prefix });
  try {
    const run = new Run(queue, subject);
    await warmUp(run, queue, workers);
    const before = await proveSeconds(queue);
    const backlog = await run.all(measured.jobs, measured.jobs);
    const after = await proveSeconds(queue);
    const prove = (1000 * (after.sum - before.sum)) / (after.count - before.count);
    const steady = await run.all(measured.jobs, workers);
    const latest = await proveSeconds(queue);
    const steadyProve = (1000 * (latest.sum - after.sum)) / (latest.count - after.count);
    await expectValid(measured.verifier, circuits[0]!.verificationKey as Groth16VerificationKey, run.results);
    const sorted = steady.latencies.toSorted((a, b) => a - b);
    const mean = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
    return {
      perSecond: (1000 * measured.jobs) / backlog.ms,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      prove,
      between: (backlog.ms * workers) / measured.jobs - prove,
      around: mean - steadyProve,
    };
  } finally {
    await queue.close();
    await farm.drain();
  }
}

/** Submits jobs and waits for their results. */
class Run {
  readonly results: ProofResult[] = [];

  constructor(
    private readonly queue: ProofQueue,
    private readonly subject: Subject,
  ) {}

  /** Proves so many, of which at most `atOnce` are in the farm at a time. */
  async all(count: number, atOnce: number): Promise<{ readonly ms: number; readonly latencies: readonly number[] }> {
    const latencies: number[] = [];
    let left = count;
    const one = async (): Promise<void> => {
      while (left-- > 0) {
        const began = performance.now();
        const { id } = await this.queue.submit({ circuit: this.subject.registration.id, ...this.subject.input });
        this.results.push(await this.queue.result(id));
        latencies.push(performance.now() - began);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: Math.min(count, atOnce) }, one));
    return { ms: performance.now() - began, latencies };
  }
}

/** Proves until every worker holds the key, and a few times more: with a GPU kernels are compiled by then. */
async function warmUp(run: Run, queue: ProofQueue, workers: number): Promise<void> {
  for (;;) {
    await run.all(4 * workers, 2 * workers);
    const { workers: all } = await queue.farm();
    if (all.length === workers && all.every(({ keys, proofs }) => keys.length > 0 && proofs >= 3)) return;
  }
}

async function proveSeconds(queue: ProofQueue): Promise<{ readonly sum: number; readonly count: number }> {
  // Counters are written behind the proofs.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { counters } = await queue.farm();
  return counters.seconds.find(({ phase }) => phase === 'prove')!;
}

async function expectValid(
  { groth16 }: Prover,
  verificationKey: Groth16VerificationKey,
  results: readonly ProofResult[],
): Promise<void> {
  for (const { proof, publicSignals } of results) {
    if (!(await groth16.verify(verificationKey, publicSignals, proof as Groth16Proof)))
      throw new Error('expected proofs that hold');
  }
}
