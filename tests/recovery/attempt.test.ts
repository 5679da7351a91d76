import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { BudgetExceeded } from '../../sdk/base/memory-budget.js';
import { attempt, type Ladder, retryOnDeadWorker, type Way } from '../../sdk/recovery/attempt.js';
import {
  type ComputedBy,
  type FailureKind,
  type PointsFrom,
  type Rung,
  rowFor,
  TABLE,
} from '../../sdk/recovery/table.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';

const CASE_COUNT = EVERY_COMBINATION ? 5000 : 500;

const RUNGS: readonly Rung[] = ['worker', 'device', 'members', 'scalars', 'workers', 'budget', 'call', 'points'];
/** Rungs on which the workers compute. */
const OF_WORKERS: readonly Rung[] = ['scalars', 'workers', 'budget', 'call', 'points'];
const CODES: readonly FailureKind[] = [
  ...new Set(TABLE.flatMap(({ codes }) => codes)),
  'ABORTED',
  'DISPOSED',
  'INVALID_SCALAR',
];
const error = (kind: FailureKind): PippinError =>
  kind === 'BUDGET_EXCEEDED'
    ? new BudgetExceeded('expected room for a result, got none')
    : new PippinError(kind, 'expected a result, got none');

interface Case {
  readonly offered: readonly Rung[];
  readonly by: ComputedBy;
  readonly from: PointsFrom;
  readonly isRequired: boolean;
  readonly wereAltered: boolean;
  /** What each attempt ends in: a failure, or a result. */
  readonly outcomes: readonly (FailureKind | 'right')[];
}

const CASES: fc.Arbitrary<Case> = fc.record({
  offered: fc.subarray([...RUNGS]),
  by: fc.constantFrom<ComputedBy>('gpu', 'workers', 'any'),
  from: fc.constantFrom<PointsFrom>('file', 'cache'),
  isRequired: fc.boolean(),
  wereAltered: fc.boolean(),
  outcomes: fc.array(fc.constantFrom<FailureKind | 'right'>(...CODES, 'right'), { minLength: 12, maxLength: 12 }),
});

/** Runs a case and tells what happened, step by step. */
async function run({ offered, by, from, isRequired, wereAltered, outcomes }: Case) {
  const executor = { isRequired, distrust: vi.fn() };
  const attempts: { rung: Rung | undefined; by: ComputedBy; outcome: string }[] = [];
  const notices: string[] = [];
  let origin = from;
  let rung: Rung | undefined;
  const rungs: { [R in Rung]?: () => Way } = {};
  for (const each of offered) {
    rungs[each] = () => {
      rung = each;
      if (each === 'points') origin = 'file';
      return OF_WORKERS.includes(each) ? { by: 'workers' } : { by: by === 'any' ? 'gpu' : by, executor };
    };
  }
  const ladder: Ladder<Way> = {
    first: { by, executor: by === 'workers' ? undefined : executor },
    rungs,
    from: () => origin,
    wereAltered: async () => wereAltered && from === 'cache',
    notice: (code) => void notices.push(code),
  };
  const work = async (way: Way): Promise<number> => {
    const outcome = outcomes[attempts.length]!;
    attempts.push({ rung, by: way.by, outcome });
    if (outcome !== 'right') throw error(outcome);
    return attempts.length;
  };
  const result = await attempt(ladder, work).then(
    (value) => ({ value }),
    (thrown: unknown) => ({ thrown }),
  );
  return { result, attempts, notices, executor };
}

describe('attempt', () => {
  it('ends after a bounded number of attempts, in the result of one of them or in a typed error', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (given) => {
        const { result, attempts } = await run(given);
        expect(attempts.length).toBeLessThanOrEqual(1 + given.offered.length);
        const taken = attempts.map(({ rung }) => rung);
        expect(new Set(taken).size).toBe(taken.length);
        for (const rung of taken.slice(1)) expect(given.offered).toContain(rung);
        if ('thrown' in result) expect(result.thrown).toBeInstanceOf(PippinError);
        else expect([attempts.length, attempts.at(-1)?.outcome]).toEqual([result.value, 'right']);
      }),
      { numRuns: CASE_COUNT },
    );
  });

  it('takes rungs that the table has for the failure alone, and the first that is offered', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (given) => {
        const { attempts } = await run(given);
        const taken = new Set<Rung>();
        let from = given.from;
        for (const [i, { by, outcome }] of attempts.entries()) {
          const next = attempts[i + 1]?.rung;
          const row = outcome === 'right' ? undefined : rowFor(error(outcome as FailureKind), by, from);
          const open = Object.keys(row?.next ?? {}).filter(
            (rung) => given.offered.includes(rung as Rung) && !taken.has(rung as Rung),
          );
          // After a right result only the points may have been at fault.
          if (outcome === 'right') expect([undefined, 'points']).toContain(next);
          else expect(next).toBe(open[0]);
          if (next !== undefined) taken.add(next);
          if (next === 'points') from = 'file';
        }
      }),
      { numRuns: CASE_COUNT },
    );
  });

  it('gives no unverified result that was made with altered points', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (given) => {
        const { result, attempts } = await run({ ...given, from: 'cache', wereAltered: true });
        const wrong = attempts.findIndex(({ by, outcome }) => by === 'any' && outcome === 'RESULT_INVALID');
        if (wrong >= 0 && 'value' in result) expect(attempts.map(({ rung }) => rung)).toContain('points');
      }),
      {
        numRuns: CASE_COUNT,
        // The workers are wrong as well, and members of a split then have a result.
        examples: [
          [
            {
              offered: ['members', 'call'],
              by: 'any',
              from: 'cache',
              isRequired: false,
              wereAltered: true,
              outcomes: ['RESULT_INVALID', 'PROOF_INVALID', ...Array<'right'>(10).fill('right')],
            },
          ],
        ],
      },
    );
  });

  it('distrusts for a wrong result of the GPU, and never for what its executor is not to blame for', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (given) => {
        const { attempts, executor } = await run(given);
        const codes = attempts.filter(({ by }) => by !== 'workers').map(({ outcome }) => outcome);
        const isBlamed = executor.distrust.mock.calls.length > 0;
        if (
          codes.every((code) =>
            ['right', 'BUDGET_EXCEEDED', 'OUT_OF_MEMORY', 'WORKER_FAILED', 'ABORTED', 'DISPOSED'].includes(code),
          )
        ) {
          expect(isBlamed).toBe(false);
        }
        if (given.isRequired && !codes.some((code) => /RESULT_INVALID|PROOF_INVALID/.test(code))) {
          expect(isBlamed).toBe(false);
        }
        const isKnown = attempts.some((each) => each.by === 'gpu' && each.outcome === 'RESULT_INVALID');
        if (isKnown && given.from === 'file') expect(isBlamed).toBe(true);
      }),
      { numRuns: CASE_COUNT },
    );
  });

  it('judges a whole call by what the workers and the file say', async () => {
    const given = { offered: ['call', 'points'], by: 'any', isRequired: false, wereAltered: false } as const;
    for (const code of ['RESULT_INVALID', 'PROOF_INVALID'] as const) {
      for (const wereAltered of [false, true]) {
        const outcomes = [code, 'right', 'right'] as const;
        const { result, attempts, notices, executor } = await run({ ...given, from: 'cache', wereAltered, outcomes });
        const isRedone = wereAltered && code === 'RESULT_INVALID';
        expect([result, attempts.length]).toEqual([{ value: isRedone ? 3 : 2 }, isRedone ? 3 : 2]);
        expect(notices).toEqual([wereAltered ? 'CACHE_DAMAGED' : 'WEBGPU_DISTRUSTED']);
        expect(executor.distrust).toHaveBeenCalledTimes(wereAltered ? 0 : 1);
      }
      // The workers have no right result either: the witness, the key or the points are wrong.
      const both = await run({ ...given, from: 'file', outcomes: [code, code] });
      expect([both.executor.distrust.mock.calls, 'thrown' in both.result]).toEqual([[], true]);
    }
    // A required GPU: a verified proof stands, and another wrong result is the caller's to know.
    const required = { ...given, from: 'cache', isRequired: true } as const;
    const sum = await run({ ...required, outcomes: ['RESULT_INVALID', 'right'] });
    const proof = await run({ ...required, outcomes: ['PROOF_INVALID', 'right'] });
    expect([sum.result, proof.result]).toMatchObject([{ thrown: { code: 'RESULT_INVALID' } }, { value: 2 }]);
    expect([sum, proof].map(({ executor }) => executor.distrust.mock.calls.length)).toEqual([1, 1]);
  });

  it('takes points that were replaced in the middle for those from the cache', async () => {
    let from: PointsFrom = 'cache';
    const call = vi.fn((): Way => ({ by: 'workers' }));
    const work = async ({ by }: Way): Promise<number> => {
      from = 'file';
      if (by !== 'workers') throw error('RESULT_INVALID');
      return 7;
    };
    expect(await attempt({ first: { by: 'any' }, rungs: { call }, from: () => from }, work)).toBe(7);
  });

  it('passes over a rung that leads nowhere now, and ends with the failure of a rung', async () => {
    const first: Way = { by: 'gpu' };
    const lost = async ({ by }: Way): Promise<string> => {
      if (by === 'gpu') throw error('DEVICE_LOST');
      return by;
    };
    const rungs: Ladder<Way>['rungs'] = { device: () => undefined, workers: () => ({ by: 'workers' }) };
    expect(await attempt({ first, rungs }, lost)).toBe('workers');
    const device = () => Promise.reject(error('IO_FAILED'));
    await expect(attempt({ first, rungs: { device } }, lost)).rejects.toMatchObject({ code: 'IO_FAILED' });
  });

  it('throws what is no PippinError as it is', async () => {
    const thrown = new TypeError('a bug');
    const work = (): Promise<never> => Promise.reject(thrown);
    const rungs: Ladder<Way>['rungs'] = { workers: () => ({ by: 'workers' }) };
    await expect(attempt({ first: { by: 'gpu' }, rungs }, work)).rejects.toBe(thrown);
  });
});

describe('retryOnDeadWorker', () => {
  it.each([1, 2])('works once more when a worker died, and no more: %i deaths', async (deaths) => {
    let calls = 0;
    const work = retryOnDeadWorker(async () => {
      if (++calls <= deaths) throw error('WORKER_FAILED');
      return calls;
    });
    if (deaths === 1) expect(await work).toBe(2);
    else await expect(work).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(calls).toBe(2);
  });
});
