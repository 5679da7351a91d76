import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { gpuProcesses, makeKeyPair, startRedis } from '../farm/src/index.js';
import { type FarmFigures, measureDirect, measureFarm } from './farm/measure-farm.js';
import { chainSubject, noteSubject, type Subject } from './farm/subjects.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { ParallelMultiples, serveMultiples } from './gpu-proof/parallel-multiples.js';
import { numbersOption, textOption } from './lib/report.js';

/**
 * Measures a prover farm with a Redis of its own: proofs a second, latencies, and what the queue costs, with 1, 2 and 4
 * workers that share the cores, or with one worker on each of so many GPUs (`--gpus 1,2`; as root, where the machine
 * has more than one). Every proof is verified. The bundled file needs the folder of its name beside it, and runs on a
 * bare machine with Node (as root for GPUs), redis-server, which lies in the folder where this machine has it, and Dawn
 * for GPUs (WEBGPU_PATH names its entry module if it is not installed as a package).
 *
 * Options: `--workers 1,2,4`, `--gpus 1,2` instead, `--jobs 100` (for each of two measurements), `--chains 16,18`
 * (logarithms; instead of the example's circuit), `--together 1,2` (proofs at a time in each worker), `--threads N` (of
 * each worker), `--json FILE`.
 */
const folder = new URL('./farm/', import.meta.url);

interface Row extends FarmFigures {
  readonly circuit: string;
  readonly workers: number;
  readonly together: number;
}

if (!isMainThread) await serveMultiples(new URL('./bn254.wasm', import.meta.url));
else await measure();

async function measure(): Promise<void> {
  const gpus = numbersOption('--gpus', []);
  const counts = gpus.length > 0 ? gpus : numbersOption('--workers', [1, 2, 4]);
  const jobs = numbersOption('--jobs', [100])[0]!;
  const files = mkdtempSync(join(tmpdir(), 'pippin-farm-'));
  const carried = fileURLToPath(new URL('redis/redis-server.sh', folder));
  const redis = await startRedis({ persistent: true, ...(existsSync(carried) && { program: carried }) });
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const verifier = await createProver({ backend: 'wasm', cache: false, threads: 1 });
  const keys = await makeKeyPair();
  const script = new URL('sdk/farm-worker.js', folder);
  console.log(
    `farm, ${gpus.length > 0 ? 'GPUs' : 'cores'}: ${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, ${jobs} jobs each`,
  );
  const rows: Row[] = [];
  for (const subject of await subjects(files)) {
    for (const workers of counts) {
      for (const together of numbersOption('--together', [1])) {
        const threads = numbersOption('--threads', [Math.max(1, Math.floor(availableParallelism() / workers))])[0]!;
        const prover = { backend: gpus.length > 0 ? ('webgpu' as const) : ('wasm' as const), threads, cache: false };
        const places = gpus.length > 0 ? { devices: gpuProcesses().slice(0, workers) } : { workers };
        const options = { script, prover, together, ...places };
        const figures = await measureFarm({
          connection: redis.connection,
          keys,
          subject,
          jobs,
          options,
          workers,
          verifier,
        });
        rows.push({ circuit: subject.label, workers, together, ...figures });
        print(rows.at(-1)!);
        if (workers === 1 && together === 1) {
          const direct = await createProver(prover);
          const ms = await measureDirect(direct, subject, jobs);
          await direct.dispose();
          const cost = figures.prove + figures.between - ms;
          console.log(`  without a queue ${ms.toFixed(1)} ms a proof: the queue costs ${cost.toFixed(1)} ms a proof`);
        }
      }
    }
  }
  const json = textOption('--json') ?? (process.env.OUT === undefined ? undefined : join(process.env.OUT, 'farm.json'));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 1)}\n`);
  await verifier.dispose();
  await redis.stop();
  rmSync(files, { recursive: true });
}

async function subjects(files: string): Promise<Subject[]> {
  const chains = numbersOption('--chains', []);
  if (chains.length === 0) return [noteSubject(new URL('example/', folder))];
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const prover = await createProver({ backend: 'wasm', cache: false });
  const multiples = new ParallelMultiples(new URL(import.meta.url));
  try {
    const made: Subject[] = [];
    for (const log of chains) made.push(await chainSubject(log, files, prover, multiples));
    return made;
  } finally {
    await multiples.close();
    await prover.dispose();
  }
}

function print({ circuit, workers, together, ...figures }: Row): void {
  const { perSecond, p50, p99, prove, between, around } = figures;
  const at = together === 1 ? '' : ` x ${together} at a time`;
  console.log(
    `${circuit}, ${workers}${at}: ${perSecond.toFixed(2)} proofs/s; idle farm p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `proof ${prove.toFixed(1)} ms, between two ${between.toFixed(1)} ms, around one ${around.toFixed(1)} ms`,
  );
}
