import { integerLaneFacts } from '../../scripts/generate/wasm/integer-lane-facts.js';
import { laneFacts } from '../../scripts/generate/wasm/lane-facts.js';
import type { FieldParameters } from '../../sdk/curves/index.js';
import { WASM_LIMB_BITS } from '../../sdk/curves/limbs.js';

/** How two elements of a coordinate field lie in lanes, and which bounds their arithmetic keeps. */
export interface LaneForm {
  readonly limbs: number;
  readonly limbBits: number;
  readonly r: bigint;
  readonly packedR: bigint;
  /** Bytes of two elements in lanes, and of one by itself. */
  readonly size: number;
  readonly elementSize: number;
  /** What the limbs of a reduced element may exceed half of 2^limbBits by. */
  readonly slack: number;
  /** Multiples of p that `reduce` takes away, at most. */
  readonly mostMultiple: number;
  /** A product stays below this many hundredths of p and |a b| / R. */
  readonly remainder: bigint;
  /** Whether an element in packed form is its reduced value plus p; otherwise it is below p. */
  readonly packsAsItIs: boolean;
  /**
   * The numbers in memory, and which of them is limb i of the element in lane l of the vectors from address `at` on.
   */
  numbers(memory: WebAssembly.Memory): Float64Array | Int32Array;
  indexOf(at: number, l: number, i: number): number;
}

/** The classes of wasm/generated that have two elements in lanes. */
export const LANE_CLASSES = [
  { name: 'FqLanes', file: 'fq-lanes', features: ['simd', 'relaxed-simd'], formOf: floatForm },
  { name: 'FqIntegerLanes', file: 'fq-integer-lanes', features: ['simd'], formOf: integerForm },
] as const;

function floatForm(field: FieldParameters): LaneForm {
  const { limbs, limbBits, r, packedR } = laneFacts(field);
  return {
    limbs,
    limbBits,
    r,
    packedR,
    size: 16 * limbs,
    elementSize: 8 * limbs,
    slack: 0,
    mostMultiple: 2 ** 53 / 2 ** (limbBits - 1) - 1,
    remainder: BigInt(25 * (limbs - 1) + 50),
    packsAsItIs: packedR === r,
    numbers: ({ buffer }) => new Float64Array(buffer),
    indexOf: (at, l, i) => at / 8 + 2 * i + l,
  };
}

function integerForm(field: FieldParameters): LaneForm {
  const { limbs, vectors, r, packedR } = integerLaneFacts(field);
  return {
    limbs,
    limbBits: WASM_LIMB_BITS,
    r,
    packedR,
    size: 16 * vectors,
    elementSize: 4 * limbs,
    slack: 16,
    mostMultiple: 3,
    remainder: 51n,
    packsAsItIs: false,
    numbers: ({ buffer }) => new Int32Array(buffer),
    indexOf: (at, l, i) => at / 4 + 2 * i + l,
  };
}
