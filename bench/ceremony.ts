import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contribute, CreateKey } from '../sdk/ceremony/api.js';
import type { CreateUniversalKey } from '../sdk/ceremony/universal/api.js';
import {
  type BenchCircuit,
  benchCircuit,
  CIRCUITS,
  type CircuitName,
  circuitLabel,
  preparedPtau,
} from './cpu/setup/circuits.js';
import { type KeyAction, measureVerification, memoryOf, workOnKey } from './lib/key-verification.js';
import { summarize } from './lib/measure.js';
import { type Outcome, outcomeOf } from './lib/outcome.js';
import { measurePowers, type PowersAction, workOnPowers } from './lib/powers-of-tau.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * The set-up of a Groth16 key over BN254, and a contribution to one, from file to file, by Pippin's workers and by
 * snarkjs. Each run is a new process, timed from the call on: starting curves and workers, and their memory, count. The
 * contenders take turns. Keys of a set-up must be the same bytes.
 *
 * Then the verification of a key from its first key and from its circuit, the set-up of PLONK and FFLONK keys, a
 * contribution to powers of tau, their verification and their preparation for phase 2, in the same way.
 *
 * Options: `--circuits chain14,sha256` of bench/cpu/setup/circuits.ts, `--works set-up,contribution,verification` with
 * them, `--universal 12,14` (logarithms of the numbers of gates of PLONK and FFLONK), `--powers 12` (logarithms of the
 * numbers of powers of tau), `--actions contribute,verify,prepare` with them, `--runs 3`. A part whose option is 0 is
 * left out.
 */
const folder = new URL('./ceremony/', import.meta.url);
const CONTENDERS = ['pippin', 'snarkjs'] as const;
type Contender = (typeof CONTENDERS)[number];
const WORKS = ['set-up', 'contribution'] as const;
const UNIVERSAL = ['plonk', 'fflonk'] as const;
type Work = (typeof WORKS)[number] | (typeof UNIVERSAL)[number];
/** Rows of a domain besides the constraints: the circuits have one public signal, and there is the constant wire. */
const PUBLIC_ROWS = 2;
/** How many times as long, and as much memory, snarkjs must take at least. */
const BARS: Readonly<Record<Work, { readonly time: number; readonly memory: number }>> = {
  'set-up': { time: 6, memory: 2 },
  contribution: { time: 8, memory: 2 },
  plonk: { time: 6, memory: 2 },
  fflonk: { time: 6, memory: 2 },
};
/** The chains of 2^k gates of PLONK and FFLONK: a row for each constraint, and for the public signal. */
const CHAINS: Readonly<Record<number, CircuitName>> = { 12: 'chain12', 14: 'chain14', 16: 'chain16' };
/** The powers of tau of an FFLONK key of 2^k gates are of 2^(k + 3). */
const MORE_POWERS = { plonk: 0, fflonk: 3 } as const;

const contender = textOption('--contender');
const action = textOption('--powers-action');
const keyAction = textOption('--key-action');
if (contender === undefined) await measure();
else if (keyAction !== undefined) await workOnKey(contender as Contender, keyAction as KeyAction, folder);
else if (action !== undefined) await workOnPowers(contender as Contender, action as PowersAction, folder);
else await workOnce(contender as Contender, textOption('--work') as Work);

async function measure(): Promise<void> {
  const runs = numbersOption('--runs', [3])[0]!;
  const names = textOption('--circuits')?.split(',') ?? ['chain14'];
  const works = textOption('--works')?.split(',') ?? [...WORKS, 'verification'];
  const report = new BenchReport('ceremony, BN254; times in ms, memory in MiB, medians');
  for (const name of CIRCUITS.filter((one) => names.includes(one))) {
    const circuit = await benchCircuit(name);
    const ptau = await preparedPtau(Math.ceil(Math.log2(circuit.constraints + PUBLIC_ROWS)));
    for (const work of WORKS.filter((one) => works.includes(one)))
      measureWork(report, work, { ...circuit, ptau }, runs);
    if (!works.includes('verification')) continue;
    measureVerification(report, inProcessOf, { label: circuitLabel(name), r1cs: circuit.r1cs, ptau }, runs);
  }
  for (const log of numbersOption('--universal', [12])) {
    const name = CHAINS[log];
    if (name === undefined) continue;
    const circuit = await benchCircuit(name);
    for (const protocol of UNIVERSAL) {
      measureWork(report, protocol, { ...circuit, ptau: await preparedPtau(log + MORE_POWERS[protocol]) }, runs);
    }
  }
  await measurePowers(report, inProcessOf, runs);
  report.finish();
  // Circuits may have been made by snarkjs, whose workers would go on.
  process.exit();
}

/** What is worked on: a circuit and the powers of tau for its set-up. */
type Subject = BenchCircuit & { readonly ptau: string };

function measureWork(report: BenchReport, work: Work, subject: Subject, runs: number): void {
  const outcomes: Record<Contender, Outcome[]> = { pippin: [], snarkjs: [] };
  for (let run = 0; run < runs; run++) {
    for (const name of CONTENDERS) outcomes[name].push(inProcess(name, work, subject));
  }
  const keys = new Set(CONTENDERS.flatMap((name) => outcomes[name].map(({ hash }) => hash)));
  if (work !== 'contribution' && keys.size > 1) throw new Error('expected the same key from all set-ups');
  const times = CONTENDERS.map((name) => summarize(name, outcomes[name]));
  report.add(`${titleOf(work)}, ${circuitLabel(subject.name)}`, times, { snarkjs: BARS[work].time });
  const memory = CONTENDERS.map((name) => memoryOf(name, outcomes[name]));
  report.add('memory of it, MiB', memory, { snarkjs: BARS[work].memory });
}

function titleOf(work: Work): string {
  return work === 'plonk' || work === 'fflonk' ? `set-up of ${work}` : work;
}

/** Runs work in a new process. Proofs with the key that it wrote must verify. */
function inProcess(name: Contender, work: Work, { r1cs, ptau, zkey, witness }: Subject): Outcome {
  const made = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  try {
    const given = ['--r1cs', r1cs, '--ptau', ptau, '--zkey', zkey, '--out', join(made, 'made.zkey')];
    return inProcessOf(name, ['--work', work, ...given, '--witness', witness]);
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

async function workOnce(name: Contender, work: Work): Promise<void> {
  const run = await (name === 'pippin' ? pippin(work) : snarkjs(work));
  const out = textOption('--out')!;
  const outcome = await outcomeOf(() => run(out));
  // The keys of a set-up are the same bytes: one that is right is enough.
  if (name === 'pippin' || work === 'contribution') await expectProof(work, out, textOption('--witness')!);
  console.log(JSON.stringify({ ...outcome, hash: createHash('sha256').update(readFileSync(out)).digest('hex') }));
  process.exit();
}

type Run = (out: string) => Promise<unknown>;

async function pippin(work: Work): Promise<Run> {
  const { contribute, newKey, newUniversalKey } = (await import(new URL('sdk/ceremony-node.js', folder).href)) as {
    contribute: Contribute;
    newKey: CreateKey;
    newUniversalKey: CreateUniversalKey;
  };
  const [r1cs, ptau, zkey] = files();
  if (work === 'plonk' || work === 'fflonk') return (out) => newUniversalKey(r1cs, ptau, { protocol: work, to: out });
  if (work === 'set-up') return (out) => newKey(r1cs, ptau, { to: out });
  return (out) => contribute(zkey, { name: 'bench', entropy: 'some text', to: out, backend: 'wasm' });
}

async function snarkjs(work: Work): Promise<Run> {
  const { zKey, ...systems } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  const [r1cs, ptau, zkey] = files();
  if (work === 'plonk' || work === 'fflonk') return (out) => systems[work].setup(r1cs, ptau, out);
  if (work === 'set-up') return (out) => zKey.newZKey(r1cs, ptau, out);
  return (out) => zKey.contribute(zkey, out, 'bench', 'some text');
}

function files(): [r1cs: string, ptau: string, zkey: string] {
  return [textOption('--r1cs')!, textOption('--ptau')!, textOption('--zkey')!];
}

/** Throws unless a proof with the key verifies. */
async function expectProof(work: Work, zkey: string, witness: string): Promise<void> {
  const { zKey, ...systems } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  const system = systems[work === 'plonk' || work === 'fflonk' ? work : 'groth16'];
  const { proof, publicSignals } = await system.prove(zkey, witness);
  const verificationKey = await zKey.exportVerificationKey(zkey);
  if (!(await system.verify(verificationKey, publicSignals, proof))) throw new Error('expected a key that proves');
}
