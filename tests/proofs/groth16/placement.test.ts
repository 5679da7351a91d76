import { describe, expect, it } from 'vitest';
import type { MsmExecutor } from '../../../sdk/bases/backend.js';
import { GROTH16_PARTS } from '../../../sdk/proofs/groth16/parts.js';
import { type Placement, PlacementChoice, placementOf } from '../../../sdk/proofs/groth16/placement.js';

/** A choice after these proofs; B2 is a third of a proof's work. */
function choiceAfter(
  proofs: readonly (readonly [placement: Placement, ms: number])[],
  { shareOfB2 = 1 / 3, estimate = undefined as number | undefined } = {},
): PlacementChoice {
  const choice = new PlacementChoice(shareOfB2, () => estimate);
  for (const [placement, ms] of proofs) choice.add(placement, ms);
  return choice;
}

const onGpu = (...all: readonly number[]) => all.map((ms) => ['gpu', ms] as const);
const GPU_TAKES_100 = onGpu(400, 100, 120, 110);

describe('PlacementChoice', () => {
  it('begins with the GPU, and leaves it there before it knows enough', () => {
    expect(choiceAfter([]).current).toBe('gpu');
    expect(choiceAfter([['workers', 1]]).next()).toBeUndefined();
    expect(choiceAfter(GPU_TAKES_100).next()).toBeUndefined();
    expect(choiceAfter([['workers', 1], ...onGpu(400, 100, 120)]).next()).toBeUndefined();
  });

  it('tries the workers where they are clearly faster than the fastest proof of the GPU, and each placement once', () => {
    const choice = choiceAfter([['workers', 900], ['workers', 60], ...GPU_TAKES_100]);
    expect(choice.next()).toBe('workers');
    expect(choice.current).toBe('gpu');
    // Until it has begun or was given up there is no other trial.
    choice.add('gpu', 110);
    expect(choice.next()).toBeUndefined();
    choice.enter('workers');
    expect(choice.current).toBe('workers');
    expect(choice.favoursWorkers).toBe(false);
    choice.add('workers', 500);
    expect(choice.current).toBe('workers');
    expect(choice.favoursWorkers).toBe(true);
    expect(choice.next()).toBeUndefined();
  });

  it('tries another placement when one was given up', () => {
    const choice = choiceAfter([['workers', 60], ...GPU_TAKES_100]);
    expect(choice.next()).toBe('workers');
    choice.giveUp();
    expect([choice.current, choice.next()]).toEqual(['gpu', 'split']);
  });

  it('tries B2 on the workers where both together promise to be faster than either', () => {
    // The GPU alone takes 100, the workers 120: B2 takes them 40, and the GPU 67 for the rest.
    expect(choiceAfter([['workers', 120], ...GPU_TAKES_100]).next()).toBe('split');
    // The workers would take 91 for B2.
    expect(choiceAfter([['workers', 273], ...GPU_TAKES_100]).next()).toBeUndefined();
    expect(choiceAfter([['workers', 270], ...GPU_TAKES_100]).next()).toBe('split');
    expect(choiceAfter([['workers', 120], ...GPU_TAKES_100], { shareOfB2: 0 }).next()).toBeUndefined();
  });

  it('keeps a trial that is faster, and returns to the GPU after one that is not', () => {
    const kept = choiceAfter([['workers', 120], ...GPU_TAKES_100]);
    kept.enter(kept.next()!);
    for (const ms of [200, 90, 300, 300, 300]) kept.add('split', ms);
    expect(kept.current).toBe('split');

    const left = choiceAfter([['workers', 120], ...GPU_TAKES_100]);
    left.enter(left.next()!);
    left.add('split', 91);
    left.add('split', 91);
    expect(left.current).toBe('split');
    left.add('split', 91);
    expect(left.current).toBe('gpu');
    left.add('gpu', 100);
    expect(left.next()).toBeUndefined();
  });

  it('takes an estimate for workers that have not proved the key, and a measurement before it', () => {
    expect(choiceAfter(GPU_TAKES_100, { estimate: 50 }).next()).toBe('workers');
    expect(choiceAfter([['workers', 1000], ...GPU_TAKES_100], { estimate: 50 }).next()).toBeUndefined();
    const wrong = choiceAfter(GPU_TAKES_100, { estimate: 50 });
    wrong.enter(wrong.next()!);
    for (const ms of [80, 79, 78]) wrong.add('workers', ms);
    expect([wrong.current, wrong.favoursWorkers]).toEqual(['gpu', false]);
  });
});

describe('placementOf', () => {
  type Executors = readonly MsmExecutor[];
  const made = (onWorkers: readonly string[], extra: Partial<Record<string, Executors>> = {}) =>
    new Map(
      GROTH16_PARTS.map((part): [typeof part, Executors] => [
        part,
        extra[part] ?? [onWorkers.includes(part) ? 'wasm' : 'webgpu'],
      ]),
    );

  it('names the placement that the executors of the parts show', () => {
    expect(placementOf(made([]))).toBe('gpu');
    expect(placementOf(made(['B2']))).toBe('split');
    expect(placementOf(made([...GROTH16_PARTS]))).toBe('workers');
  });

  it('names none for any other', () => {
    expect(placementOf(made(['A']))).toBeUndefined();
    expect(placementOf(made(['A', 'B2']))).toBeUndefined();
    expect(placementOf(made([], { C: ['wasm', 'webgpu'] }))).toBeUndefined();
    expect(placementOf(new Map())).toBeUndefined();
  });
});
