import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { root } from '../support/root.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { AREAS } from './mutants/areas.js';
import { BY_HAND, OTHER_AREA } from './mutants/by-hand.js';
import { mutantsOf, mutate } from './mutants/operators.js';
import { SURVIVORS } from './mutants/survivors.js';
import { TestRuns } from './mutants/test-runs.js';

/** Part of an area's mutants that tests must kill. The others are named with a reason. */
const KILLED = 0.9;

/** Milliseconds in which a mutant's tests have long been killed themselves. */
const HANGS_AFTER_MS = 10 * 60_000;

/** One change of one file. */
export interface Case {
  readonly area: string;
  readonly file: string;
  readonly name: string;
  /** The text of the file with the change. */
  mutated(): string;
  /** Why no test can kill it. */
  readonly survivesBecause?: string | undefined;
  readonly tests: readonly string[];
}

/** All mutants: those by hand first, then those of one file after another. */
export const MUTANTS: readonly Case[] = [...byHand(), ...byOperators()];

/** How many mutants of each area have run, and how many of them survived. */
const all = new Map<string, number>();
const survived = new Map<string, number>();

export const mutants: Campaign = {
  about: 'a mistake in what keeps secrets and checks results is noticed by a test',
  tiers: ['wasm'],
  // Each starts a Vitest of its own, which takes 7 s of CPU time.
  short: EVERY_COMBINATION ? 3 : 0,
  full: MUTANTS.length,
  hangsAfterMs: HANGS_AFTER_MS,
  async open(): Promise<OpenCampaign> {
    const runs = new TestRuns();
    return {
      async run(_, index) {
        const { area, file, name, mutated, survivesBecause, tests } = MUTANTS[index % MUTANTS.length]!;
        const { failures, isHanging } = await runs.run(file, mutated(), tests);
        const isKilled = isHanging || failures.length > 0;
        all.set(area, (all.get(area) ?? 0) + 1);
        if (!isKilled) survived.set(area, (survived.get(area) ?? 0) + 1);
        if (!isKilled && survivesBecause === undefined) throw new Error(`no test notices, in ${file}: ${name}`);
        // A hang may come of a busy machine, and shows nothing.
        if (failures.length > 0 && survivesBecause !== undefined) {
          throw new Error(`${failures[0]} notices, though survivors.ts says that nothing does, in ${file}: ${name}`);
        }
        if (isKilled) return [isHanging ? 'killed: the tests did not end' : 'killed by a test'];
        return ['survived, for a reason that is named'];
      },
      figures() {
        const figures: Record<string, string> = {};
        for (const [area, count] of all) figures[area] = `${count - (survived.get(area) ?? 0)} of ${count} killed`;
        return figures;
      },
      async close() {
        runs.close();
      },
    };
  },
};

/** Areas with fewer mutants killed than must be, if all that are named survive. */
export function areasBelow(): string[] {
  return AREAS.flatMap(({ name }) => {
    const own = MUTANTS.filter(({ area }) => area === name);
    const named = own.filter(({ survivesBecause }) => survivesBecause !== undefined);
    return 1 - named.length / own.length < KILLED ? [`${name}: ${named.length} of ${own.length} survive`] : [];
  });
}

function byHand(): Case[] {
  return BY_HAND.map(({ name, file, find, replacement, tests: own }) => {
    const { area, tests } = own === undefined ? placeOf(file) : { area: OTHER_AREA, tests: own };
    const mutated = (): string => {
      const parts = sourceOf(file).split(find);
      if (parts.length !== 2)
        throw new Error(`expected ${JSON.stringify(find)} once in ${file}, got ${parts.length - 1}`);
      return parts.join(replacement);
    };
    return { area, file, name, tests, mutated };
  });
}

function byOperators(): Case[] {
  return AREAS.flatMap(({ name: area, files }) =>
    Object.entries(files).flatMap(([file, tests]) => {
      const source = sourceOf(file);
      return mutantsOf(source).map((mutant) => ({
        area,
        file,
        name: `${mutant.name} (line ${mutant.line})`,
        mutated: () => mutate(source, mutant),
        survivesBecause: SURVIVORS[file]?.[mutant.name],
        tests,
      }));
    }),
  );
}

function placeOf(file: string): { area: string; tests: readonly string[] } {
  for (const { name, files } of AREAS) if (Object.hasOwn(files, file)) return { area: name, tests: files[file]! };
  throw new Error(`expected ${file} in an area`);
}

function sourceOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
