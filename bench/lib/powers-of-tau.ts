import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PowersOfTau } from '../../sdk/ceremony/powers/powers-of-tau.js';
import { summarize } from './measure.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { type BenchReport, numbersOption, textOption } from './report.js';

const ACTIONS = ['contribute', 'verify', 'prepare'] as const;
export type PowersAction = 'new' | (typeof ACTIONS)[number];
const CONTENDERS = ['pippin', 'snarkjs'] as const;
type Contender = (typeof CONTENDERS)[number];
/** How many times as long snarkjs must take at least. */
const BAR = 8;

/** Work on powers of tau over BN254 from file to file; each run is a new process. */
export async function measurePowers(
  report: BenchReport,
  inProcessOf: (name: Contender, args: readonly string[]) => Outcome,
  runs: number,
): Promise<void> {
  const actions: readonly string[] = textOption('--actions')?.split(',') ?? ACTIONS;
  for (const power of numbersOption('--powers', [12]).filter((each) => each > 0)) {
    const folder = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
    const run = (name: Contender, action: PowersAction, from: string, to: string): Outcome =>
      inProcessOf(name, ['--powers-action', action, '--powers', `${power}`, '--from', from, '--to', to]);
    try {
      const [first, one] = [join(folder, '0.ptau'), join(folder, '1.ptau')];
      run('pippin', 'new', '', first);
      run('pippin', 'contribute', first, one);
      for (const action of ACTIONS.filter((each) => actions.includes(each))) {
        const outcomes: Record<Contender, Outcome[]> = { pippin: [], snarkjs: [] };
        for (let i = 0; i < runs; i++) {
          for (const name of CONTENDERS) outcomes[name].push(run(name, action, one, join(folder, 'made.ptau')));
        }
        const times = CONTENDERS.map((name) => summarize(name, outcomes[name]));
        report.add(`powers of tau 2^${power}, ${action}`, times, { snarkjs: BAR });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** One piece of work, in this process. */
export async function workOnPowers(name: Contender, action: PowersAction, folder: URL): Promise<void> {
  const [from, to] = [textOption('--from')!, textOption('--to')!];
  const work = name === 'pippin' ? await pippin(folder) : snarkjs(folder);
  const outcome = await outcomeOf(() => work[action](from, to));
  console.log(JSON.stringify(outcome));
  process.exit();
}

type Work = Readonly<Record<PowersAction, (from: string, to: string) => Promise<unknown>>>;

async function pippin(folder: URL): Promise<Work> {
  const made = (await import(new URL('sdk/ceremony-node.js', folder).href)) as PowersOfTau;
  return {
    new: (_, to) => made.newPowersOfTau({ curve: 'bn254', power: numbersOption('--powers', [12])[0]!, to }),
    contribute: (from, to) => made.contributeToPowersOfTau(from, { name: 'bench', entropy: 'some text', to }),
    verify: async (from) => expectValid((await made.verifyPowersOfTau(from)).isValid),
    prepare: (from, to) => made.preparePowersOfTau(from, { to, backend: 'wasm' }),
  };
}

function snarkjs(folder: URL): Work {
  const { powersOfTau } = createRequire(import.meta.url)(fileURLToPath(new URL('snarkjs.cjs', folder)));
  return {
    new: () => Promise.reject(new Error('Pippin begins')),
    contribute: (from, to) => powersOfTau.contribute(from, to, 'bench', 'some text'),
    verify: async (from) => expectValid(await powersOfTau.verify(from)),
    prepare: (from, to) => powersOfTau.preparePhase2(from, to),
  };
}

function expectValid(isValid: boolean): void {
  if (!isValid) throw new Error('expected valid powers of tau');
}
