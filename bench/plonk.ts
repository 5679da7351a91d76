import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { BackendChoice } from '../sdk/api/index.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { serveMultiples } from './gpu-proof/parallel-multiples.js';
import { type Measurement, summarize } from './lib/measure.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';
import { Judge } from './plonk/judge.js';
import { type KeptKey, keptKey } from './plonk/kept-key.js';
import {
  PROVING_PROCESS,
  type ProcessRequest,
  type ProcessResult,
  provingProcess,
  serveProofs,
} from './plonk/proving-process.js';
import { loadSnarkjs, type UniversalProtocol } from './plonk/snarkjs.js';

/**
 * Measures whole PLONK and FFLONK proofs over BN254 by Pippin and by snarkjs, in separate processes that take turns:
 * the first proof of a fresh process ("first": from the key's file and the witness, with the code loaded), the next ones
 * ("later"), and the process' peak memory. Pippin verifies its proofs before it returns them, snarkjs does not; snarkjs
 * reads the key from its file for each proof. It makes the keys itself, of circuits of 2^k gates, and keeps them beside
 * the bundle. Nothing is timed before both have accepted a proof of each, and the last proof of every process is checked
 * by both.
 *
 * The benchmark is one bundled file with the folder of its name beside it, and runs on a bare machine; there WEBGPU_PATH
 * names Dawn's entry module, if Dawn is not installed as a package.
 *
 * Options: `--protocols plonk,fflonk`, `--sizes 12,14` are the logarithms of the numbers of gates, `--runs 3` the processes of each prover, `--later
 * 2` the later proofs of each process, `--backend wasm|webgpu|auto` what Pippin computes with, `--threads 2` of each
 * prover, `--no-snarkjs`, `--phases` (of Pippin's last proof), `--json FILE`.
 */
const folder = new URL('./plonk/', import.meta.url);

if (!isMainThread) await serveMultiples(new URL('./bn254.wasm', import.meta.url));
else {
  if (process.argv[2] === PROVING_PROCESS) await serveProofs(folder, process.argv[3]!);
  else await measure();
  // snarkjs does not end its workers, and they would keep the process alive.
  process.exit();
}

async function measure(): Promise<void> {
  const withSnarkjs = !process.argv.includes('--no-snarkjs');
  const backend = (textOption('--backend') ?? 'wasm') as BackendChoice;
  const threads = numbersOption('--threads', [2])[0]!;
  const versions = JSON.parse(readFileSync(new URL('versions.json', folder), 'utf8'));
  const report = new BenchReport(
    `PLONK and FFLONK proofs, BN254, ${threads} threads, pippin ${versions.pippin} (${backend})${withSnarkjs ? `, snarkjs ${versions.snarkjs}` : ''}`,
  );
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
  const contenders = withSnarkjs ? (['pippin', 'snarkjs'] as const) : (['pippin'] as const);
  for (const protocol of protocolsOption()) {
    const snarkjs = withSnarkjs ? await loadSnarkjs(new URL('snarkjs.cjs', folder), protocol) : undefined;
    for (const log of numbersOption('--sizes', [12, 14])) {
      const key = await keptKey(protocol, log, new URL('keys/', folder), new URL(import.meta.url));
      const judge = await Judge.of(key, prover, snarkjs);
      await measureKey(
        key,
        contenders.map((contender) => ({ contender, backend, threads, ...key })),
        judge,
        report,
      );
    }
  }
  await prover.dispose();
  report.finish();
}

function protocolsOption(): UniversalProtocol[] {
  const protocols = textOption('--protocols')?.split(',') ?? ['plonk', 'fflonk'];
  const isKnown = (name: string): name is UniversalProtocol => name === 'plonk' || name === 'fflonk';
  if (protocols.every(isKnown)) return protocols;
  throw new Error(`expected --protocols plonk,fflonk or one of these, got ${protocols.join()}`);
}

async function measureKey(
  { label }: KeptKey,
  contenders: readonly Omit<ProcessRequest, 'later'>[],
  judge: Judge,
  report: BenchReport,
): Promise<void> {
  const [runs, later] = [numbersOption('--runs', [3])[0]!, numbersOption('--later', [2])[0]!];
  const run = async (request: ProcessRequest): Promise<ProcessResult> => {
    const result = provingProcess(request);
    await judge.expectValid(result.proved, request.contender);
    return result;
  };
  for (const contender of contenders) await run({ ...contender, later: 0 });
  const results = contenders.map((): ProcessResult[] => []);
  for (let i = 0; i < runs; i++) {
    for (const [c, contender] of contenders.entries()) results[c]!.push(await run({ ...contender, later }));
  }
  const rows = (measurement: (name: string, results: readonly ProcessResult[]) => Measurement): Measurement[] =>
    contenders.map(({ contender }, c) => measurement(contender, results[c]!));
  report.add(
    `first proof ${label}`,
    rows((name, all) =>
      summarize(
        name,
        all.map(({ first }) => first),
      ),
    ),
  );
  if (later > 0) {
    report.add(
      `later proof ${label}`,
      rows((name, all) =>
        summarize(
          name,
          all.flatMap((each) => each.later),
        ),
      ),
    );
  }
  report.add(`peak memory ${label}, MiB`, rows(peakOf));
  if (process.argv.includes('--phases')) printPhases(results[0]!.at(-1)!);
}

function peakOf(name: string, results: readonly ProcessResult[]): Measurement {
  const { median, min, max } = summarize(
    name,
    results.map(({ peak }) => ({ wall: peak, cpu: 0 })),
  );
  return { name, median, min, max };
}

/** The phases of a proof, and its pieces of work in the order in which they began, from when to when. */
function printPhases({ report }: ProcessResult): void {
  const ms = (milliseconds: number): string => milliseconds.toFixed(1);
  const { ms: phases, timeline } = report!;
  console.log(
    `  ${Object.entries(phases)
      .map(([phase, time]) => `${phase} ${ms(time!)}`)
      .join(', ')}`,
  );
  for (const { phase, part, executor, start, end } of timeline) {
    const what = part === undefined ? phase : `${phase} ${part}`;
    console.log(`    ${what.padEnd(20)} ${executor.padEnd(6)} ${ms(start).padStart(8)} to ${ms(end).padStart(8)}`);
  }
}
