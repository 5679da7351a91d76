import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contribute } from '../sdk/ceremony/api.js';
import { type BenchCircuit, benchCircuit, circuitLabel } from './cpu/setup/circuits.js';
import { type Measurement, median, summarize } from './lib/measure.js';
import { type Outcome, outcomeOf } from './lib/outcome.js';
import { measurePowers, type PowersAction, workOnPowers } from './lib/powers-of-tau.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * A contribution to a Groth16 key over BN254, from file to file, by Pippin's workers and by snarkjs. Each is made in a
 * process of its own, from the call on, so that curves, workers and memory count for who needs them; the contenders take
 * turns.
 *
 * Then a contribution to powers of tau, their verification and their preparation for phase 2, in the same way.
 *
 * Options: `--sizes 14,16` are the logarithms of the constraints, `--powers 12` those of the powers of tau, `--runs 3`.
 */
const folder = new URL('./ceremony/', import.meta.url);
const CONTENDERS = ['pippin', 'snarkjs'] as const;
type Contender = (typeof CONTENDERS)[number];
/** How many times as long, and as much memory, snarkjs must take at least. */
const BARS = { time: 8, memory: 2 };

const contender = textOption('--contender');
const action = textOption('--powers-action');
if (contender === undefined) await measure();
else if (action !== undefined) await workOnPowers(contender as Contender, action as PowersAction, folder);
else
  await contributeOnce(contender as Contender, textOption('--zkey')!, textOption('--out')!, textOption('--witness')!);

async function measure(): Promise<void> {
  const runs = numbersOption('--runs', [3])[0]!;
  const report = new BenchReport('ceremony, BN254; times in ms, memory in MiB, medians');
  for (const size of numbersOption('--sizes', [14])) {
    const circuit = await benchCircuit(`chain${size}` as 'chain14');
    const outcomes: Record<Contender, Outcome[]> = { pippin: [], snarkjs: [] };
    for (let run = 0; run < runs; run++) {
      for (const name of CONTENDERS) outcomes[name].push(inProcess(name, circuit));
    }
    const label = circuitLabel(circuit.name);
    const times = CONTENDERS.map((name) => summarize(name, outcomes[name]));
    report.add(`contribution to ${label}`, times, { snarkjs: BARS.time });
    const memory = CONTENDERS.map((name) => memoryOf(name, outcomes[name]));
    report.add('memory of it, MiB', memory, { snarkjs: BARS.memory });
  }
  await measurePowers(report, inProcessOf, runs);
  report.finish();
  // Circuits may have been made by snarkjs, whose workers would go on.
  process.exit();
}

function memoryOf(name: string, outcomes: readonly Outcome[]): Measurement {
  const peaks = outcomes.map(({ mebibytes }) => mebibytes);
  return { name, median: median(peaks), min: Math.min(...peaks), max: Math.max(...peaks) };
}

/** A contribution in a process of its own. Proofs with what it wrote must verify. */
function inProcess(name: Contender, { zkey, witness }: BenchCircuit): Outcome {
  const made = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  try {
    return inProcessOf(name, ['--zkey', zkey, '--out', join(made, 'made.zkey'), '--witness', witness]);
  } finally {
    rmSync(made, { recursive: true });
  }
}

function inProcessOf(name: Contender, given: readonly string[]): Outcome {
  const args = [fileURLToPath(import.meta.url), '--contender', name, ...given];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return JSON.parse(stdout) as Outcome;
}

async function contributeOnce(name: Contender, zkey: string, out: string, witness: string): Promise<void> {
  const run = name === 'pippin' ? await pippin() : snarkjs();
  const outcome = await outcomeOf(() => run(zkey, out));
  await expectProof(out, witness);
  console.log(JSON.stringify(outcome));
  process.exit();
}

type Run = (zkey: string, out: string) => Promise<unknown>;

async function pippin(): Promise<Run> {
  const { contribute } = (await import(new URL('sdk/ceremony-node.js', folder).href)) as { contribute: Contribute };
  return (zkey, out) => contribute(zkey, { name: 'bench', entropy: 'some text', to: out });
}

function snarkjs(): Run {
  const { zKey } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  return (zkey, out) => zKey.contribute(zkey, out, 'bench', 'some text');
}

/** Throws unless a proof with the key verifies. */
async function expectProof(zkey: string, witness: string): Promise<void> {
  const { groth16, zKey } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  const { proof, publicSignals } = await groth16.prove(zkey, witness);
  const verificationKey = await zKey.exportVerificationKey(zkey);
  if (!(await groth16.verify(verificationKey, publicSignals, proof))) throw new Error('expected a key that proves');
}
