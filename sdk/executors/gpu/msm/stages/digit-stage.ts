import cutDigits from '../../../../../shaders/digits/cut.wgsl';
import givenDigits from '../../../../../shaders/digits/given.wgsl';
import digitLayout from '../../../../../shaders/digits/layout.wgsl';
import { type Binding, read, type Stage, U32_BYTES } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import type { DigitsFrom } from '../plan.js';
import { digitCount, type MsmPlan, setsPerRow } from '../plan.js';
import { defineMsmStage, type MsmBuffer } from './msm-stage.js';
import { bucketsOfSet, type PassChunk, windowsOf } from './pass-chunk.js';

/** The scalars `from` to `to` - 1 of a chunk; a batch's scalars are ordered by MSM. */
export interface ScalarSlice {
  readonly chunk: PassChunk;
  readonly from: number;
  readonly to: number;
}

/** The digits of a slice. */
export interface DigitSlice extends ScalarSlice {
  /** Words of a scalar in `source`. */
  readonly scalarWords: number;
}

/** A stage that takes digits, with one kernel for each source. */
export type DigitStages = Readonly<Record<DigitsFrom, Stage<MsmBuffer, MsmPlan, DigitSlice>>>;

export interface DigitStageDeclaration {
  readonly name: string;
  readonly shader: string;
  /** The bindings besides `source`. */
  readonly bindings: Readonly<Record<string, Binding<MsmBuffer>>>;
  readonly bytes: (plan: MsmPlan) => Partial<Record<MsmBuffer, number>>;
}

const SOURCES = { scalars: cutDigits, digits: givenDigits } as const satisfies Record<DigitsFrom, string>;

export function digitStages(declaration: DigitStageDeclaration): DigitStages {
  const stageOf = (variant: DigitsFrom) => digitStage(declaration, variant, SOURCES[variant]);
  return { scalars: stageOf('scalars'), digits: stageOf('digits') };
}

/** A stage that gets digits from the function `next_digit` of the WGSL `source`; `variant` names it. */
export function digitStage(
  declaration: DigitStageDeclaration,
  variant: string,
  source: string,
): Stage<MsmBuffer, MsmPlan, DigitSlice> {
  return defineMsmStage({
    ...declaration,
    variant,
    entry: 'threads',
    workgroupSize: 256,
    bindings: { source: read('source'), ...declaration.bindings },
    params: [
      'scalarWords',
      'points',
      'windowBits',
      'windowEnd',
      'rows',
      'firstRow',
      'rowsOfPass',
      'multiples',
      'bucketsPerRow',
      'nextSet',
      'firstBase',
      'multipleStride',
    ],
    libraries: [digitLayout, source],
    dispatches: ({ chunk, from, to, scalarWords }: DigitSlice) => {
      const { plan, points, firstRow, rows, firstBase, multipleStride } = chunk;
      const windows = windowsOf(chunk);
      return [
        {
          first: from,
          end: to,
          params: {
            scalarWords,
            points,
            windowBits: plan.windowBits,
            windowEnd: windows.at(-1)! + 1,
            rows: plan.rows,
            firstRow,
            rowsOfPass: rows,
            multiples: plan.multiples,
            bucketsPerRow: plan.bucketsPerRow,
            // All multiples of a row go to its only set, or each to a set of its own.
            nextSet: setsPerRow(plan) === 1 ? 0 : bucketsOfSet(chunk),
            firstBase,
            multipleStride,
          },
          cost: DIGIT_COST * windows.length,
        },
      ];
    },
  });
}

/** Bytes of a buffer with one word per digit. */
export function digitBytes(plan: MsmPlan): number {
  return digitCount(plan) * U32_BYTES;
}
