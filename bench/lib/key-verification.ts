import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ceremonies } from '../../sdk/ceremony/ceremony.js';
import { type Measurement, median, summarize } from './measure.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { type BenchReport, textOption } from './report.js';

/** From what a key is verified: from its first key and the powers of tau, or from its circuit and these. */
const FROM = { first: 'first key', r1cs: 'circuit' } as const;
type VerifiedFrom = keyof typeof FROM;
export type KeyAction = 'new' | 'contribute' | 'beacon' | VerifiedFrom;
const CONTENDERS = ['pippin', 'snarkjs'] as const;
type Contender = (typeof CONTENDERS)[number];
/** How many times as long, and as much memory, snarkjs must take at least. */
const BARS = { time: 8, memory: 2 } as const;
/** A public value of 32 bytes. */
const HASH = '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20';

/** The files of a circuit, and what it is called. */
export interface VerifiedCircuit {
  readonly label: string;
  readonly r1cs: string;
  readonly ptau: string;
}

/** Peak memory of the runs. */
export function memoryOf(name: string, outcomes: readonly Outcome[]): Measurement {
  const peaks = outcomes.map(({ mebibytes }) => mebibytes);
  return { name, median: median(peaks), min: Math.min(...peaks), max: Math.max(...peaks) };
}

/** Verifications of a Groth16 key with a contribution and a beacon, from file to file; each run is a new process. */
export function measureVerification(
  report: BenchReport,
  inProcessOf: (name: Contender, args: readonly string[]) => Outcome,
  { label, r1cs, ptau }: VerifiedCircuit,
  runs: number,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  const [first, one, last] = ['0', '1', '2'].map((name) => join(folder, `${name}.zkey`)) as [string, string, string];
  const run = (name: Contender, action: KeyAction, from: string, to: string): Outcome =>
    inProcessOf(name, ['--key-action', action, '--r1cs', r1cs, '--ptau', ptau, '--from', from, '--to', to]);
  try {
    run('pippin', 'new', '', first);
    run('pippin', 'contribute', first, one);
    run('pippin', 'beacon', one, last);
    for (const from of Object.keys(FROM) as VerifiedFrom[]) {
      const outcomes: Record<Contender, Outcome[]> = { pippin: [], snarkjs: [] };
      for (let i = 0; i < runs; i++) for (const name of CONTENDERS) outcomes[name].push(run(name, from, first, last));
      const times = CONTENDERS.map((name) => summarize(name, outcomes[name]));
      report.add(`verification by ${FROM[from]}, ${label}`, times, { snarkjs: BARS.time });
      const memory = CONTENDERS.map((name) => memoryOf(name, outcomes[name]));
      report.add('memory of it, MiB', memory, { snarkjs: BARS.memory });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One piece of work, in this process. */
export async function workOnKey(name: Contender, action: KeyAction, folder: URL): Promise<void> {
  const files = ['--from', '--to', '--r1cs', '--ptau'].map((option) => textOption(option)!) as Files;
  const work = name === 'pippin' ? await pippin(folder) : snarkjs(folder);
  const outcome = await outcomeOf(() => work[action](...files));
  console.log(JSON.stringify(outcome));
  process.exit();
}

type Files = [from: string, to: string, r1cs: string, ptau: string];
type Work = Readonly<Record<KeyAction, (...files: Files) => Promise<unknown>>>;

async function pippin(folder: URL): Promise<Work> {
  const made = (await import(new URL('sdk/ceremony-node.js', folder).href)) as Ceremonies;
  const verify: Ceremonies['verifyContributions'] = async (zkey, options) => {
    const { fault, ...report } = await made.verifyContributions(zkey, options);
    expectValid(report.isValid, fault);
    return report;
  };
  return {
    new: (_, to, r1cs, ptau) => made.newKey(r1cs, ptau, { to }),
    contribute: (from, to) => made.contribute(from, { name: 'bench', entropy: 'some text', to }),
    beacon: (from, to) => made.beacon(from, { hash: HASH, iterations: 10, to }),
    first: (first, zkey, _, ptau) => verify(zkey, { first, ptau }),
    r1cs: (_, zkey, r1cs, ptau) => verify(zkey, { r1cs, ptau }),
  };
}

function snarkjs(folder: URL): Work {
  const { zKey } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  const made = () => Promise.reject(new Error('Pippin makes the key'));
  return {
    new: made,
    contribute: made,
    beacon: made,
    first: async (first, zkey, _, ptau) => expectValid(await zKey.verifyFromInit(first, ptau, zkey)),
    r1cs: async (_, zkey, r1cs, ptau) => expectValid(await zKey.verifyFromR1cs(r1cs, ptau, zkey)),
  };
}

function expectValid(isValid: boolean, fault = 'no reason'): void {
  if (!isValid) throw new Error(`expected a valid key, got ${fault}`);
}
