import powerShader from '../../../../shaders/roots/power.wgsl';
import rootShader from '../../../../shaders/roots/root.wgsl';
import rootOverExtensionShader from '../../../../shaders/roots/root-extension.wgsl';
import { bigintToBytes } from '../../../base/bytes.js';
import { CURVES, type CurveId, type GroupId } from '../../../curves/index.js';
import { packedMontgomeryBits } from '../../../curves/limbs.js';
import { inverse } from '../../../curves/modular.js';
import { read, readWrite, type Stage, stageDefiner } from '../runtime/stage.js';

/** The scratch buffers of square roots, by contents. */
export type RootBuffer =
  /** x with the sign of y, as in a packed key. */
  | 'compressed'
  /** y. */
  | 'roots'
  /** What roots are computed with, see `rootConstants`. */
  | 'constants';

/** What stands in each word of a y that does not exist. */
export const NO_ROOT = 0xffffffff;

/** The powers a, a^3, .. a^15 of an element: tables of more powers cost memory of each thread. */
const ODD_POWERS = 8;
/** What stands for a square in a step. */
export const SQUARE = 0xffffffff;
/** Numbers of `rootConstants`. */
const PLACES = { FROM_ZKEY: 0, TO_ZKEY: 1, HALF: 2, B: 3 };
const NUMBERS = 5;

/** The work of a product, in the unit of `Pace`, a point addition. */
const PRODUCT_COST = 0.1;

const define = stageDefiner<RootBuffer, never, 'field'>();

/** Points of which roots are computed. */
export interface RootRun {
  readonly count: number;
  /** Steps of a power. */
  readonly steps: number;
}

/** The stage for a group, whose coordinates have one or two numbers of `words` words. */
export function rootStage(degree: 1 | 2, words: number): Stage<RootBuffer, never, RootRun> {
  return define({
    name: 'root',
    variant: `degree ${degree}, ${words} words`,
    entry: 'threads',
    workgroupSize: 64,
    arithmetic: 'field',
    bindings: { compressed: read('compressed'), constants: read('constants'), roots: readWrite('roots') },
    params: ['steps'],
    constants: { ...PLACES, STEPS_AT: NUMBERS * words, ODD_POWERS, SQUARE, NO_ROOT },
    libraries: [wordsOf('compressed', words), wordsOf('constants', words, 'constant'), powerShader],
    shader: degree === 2 ? rootOverExtensionShader : rootShader,
    dispatches: ({ count, steps }: RootRun) => [
      { first: 0, end: count, params: { steps }, cost: degree * steps * PRODUCT_COST },
    ],
  });
}

/** A function for the words of a number, which begins at word `at` of a buffer. */
function wordsOf(buffer: string, words: number, name = buffer): string {
  const each = Array.from({ length: words }, (_, w) => `${buffer}[at + ${w}u]`);
  return `fn words_of_${name}(at: u32) -> array<u32, ${words}> { return array<u32, ${words}>(${each.join(', ')}); }`;
}

/**
 * What roots over a curve's group are computed with: numbers in Montgomery form with the kernels' R, by `PLACES` (what
 * brings a coordinate of a .zkey to that form, what brings it back, 1/2, and the two numbers of b), then the steps
 * of the power with the exponent (p - 3) / 4.
 */
export function rootConstants(
  curve: CurveId,
  group: GroupId,
  [b0 = 0n, b1 = 0n]: readonly bigint[] = group === 'g2' ? CURVES[curve].g2!.b : [CURVES[curve].g1.b],
): { readonly words: Uint32Array; readonly steps: number } {
  const { fq, coordinateBytes } = CURVES[curve];
  const p = fq.modulus;
  const ours = 1n << BigInt(packedMontgomeryBits(fq.bits));
  const zkeys = 1n << BigInt(8 * coordinateBytes);
  // A product of the kernel divides by its R.
  const numbers = [ours * ours * inverse(zkeys, p), zkeys, ((p + 1n) / 2n) * ours, b0 * ours, b1 * ours];
  const packed = numbers.flatMap((number) => [...new Uint32Array(bigintToBytes(number % p, coordinateBytes).buffer)]);
  const steps = exponentSteps((p - 3n) / 4n);
  return { words: Uint32Array.from([...packed, ...steps]), steps: steps.length };
}

/**
 * An exponent by windows of four bits: squares, and places of odd powers, which are multiplied. The first step takes an
 * odd power alone.
 */
export function exponentSteps(exponent: bigint): number[] {
  const steps = [...exponent.toString(16)].flatMap((hex) => {
    const digit = Number.parseInt(hex, 16);
    if (digit === 0) return new Array<number>(4).fill(SQUARE);
    // An even power is the square of another one.
    const even = 31 - Math.clz32(digit & -digit);
    const odd = ((digit >> even) - 1) / 2;
    return [...new Array<number>(4 - even).fill(SQUARE), odd, ...new Array<number>(even).fill(SQUARE)];
  });
  return steps.slice(steps.findIndex((step) => step !== SQUARE));
}
