import { newBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { SCALAR_BYTES } from '../../../../curves/index.js';
import { elementExports } from '../element-exports.js';
import type { EndomorphismExports } from '../exports.js';
import { countOf, type WholeInstance } from '../kernel-instance.js';
import type { Allocate } from '../memory.js';
import { type KernelTask, Steps } from '../steps.js';
import { HALF_BYTES } from './scale-points.js';

/** Scalars that are split in one step. */
const TOGETHER = 1 << 12;
const HALF_WORDS = HALF_BYTES / 4;
/** 8 in every window of 4 bits of a word. */
const EIGHTS = 0x88888888;

export interface SplitScalarsArgs {
  /** Canonical. */
  readonly scalars: Uint8Array;
}

export interface SplitPowersArgs {
  /** Power i is first ratio^i. Both are canonical. */
  readonly first: Uint8Array;
  readonly ratio: Uint8Array;
  readonly count: number;
  /** The curve's compiled module of vectors. */
  readonly elements: WebAssembly.Module;
}

/**
 * Scalars in halves, k = k1 + k2 lambda for the curve's endomorphism, for a GPU that multiplies points: k1 and k2 of
 * each, of 16 bytes, with 8 added in every window of 4 bits. Then each window's value minus 8 is a signed digit of the
 * half, which may be negative.
 */
export function splitScalars(
  instance: WholeInstance,
  { scalars }: SplitScalarsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const count = countOf(scalars, SCALAR_BYTES, 'scalars');
  return split(instance, count, task, async () => (at, from, to) => {
    instance.memory.write(at, scalars.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES));
  });
}

/** The powers of a number in halves, as by `splitScalars`. */
export function splitPowers(
  instance: WholeInstance,
  { first, ratio, count, elements }: SplitPowersArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { memory } = instance;
  return split(instance, count, task, async (allocate) => {
    const { elements_scaleByPowers: multiply } = await elementExports(instance, elements);
    const [power, base] = [allocate(SCALAR_BYTES), allocate(SCALAR_BYTES)];
    memory.write(power, first);
    memory.write(base, ratio);
    return (at, from, to) => {
      memory.clear(at, (to - from) * SCALAR_BYTES);
      for (let i = 0; i < to - from; i++) memory.writeUint32(at + i * SCALAR_BYTES, 1);
      multiply(at, to - from, power, base);
    };
  });
}

/** Writes the canonical scalars with numbers from..to to an address. */
type WriteScalars = (at: number, from: number, to: number) => void;

async function split(
  { curve, endomorphism, memory }: WholeInstance,
  count: number,
  task: KernelTask | undefined,
  writerFor: (allocate: Allocate) => Promise<WriteScalars>,
): Promise<Uint8Array> {
  if (endomorphism === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with an endomorphism, got ${curve}`);
  }
  const result = newBytes(count * SCALAR_BYTES);
  await memory.scope(async (allocate) => {
    const most = Math.min(TOGETHER, Math.max(1, count));
    const [scalars, list] = [allocate(most * SCALAR_BYTES), allocate(4 * most)];
    const write = await writerFor(allocate);
    const numbers = memory.viewUint32(list, most);
    for (let i = 0; i < most; i++) numbers[i] = i;
    await new Steps(task, count).run(count, TOGETHER, (from, to) => {
      write(scalars, from, to);
      recodedHalves({ memory, endomorphism, scalars, list }, to - from);
      result.set(memory.view(scalars, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
    });
  });
  return result;
}

interface ScalarsInMemory extends Pick<WholeInstance, 'memory'> {
  readonly endomorphism: EndomorphismExports;
  readonly scalars: number;
  readonly list: number;
}

/**
 * Replaces the first scalars by their halves. Signed halves are below 7/8 of 2^127 in absolute value, so that none
 * leaves its 16 bytes (`splitting` in scripts/generate/wasm/endomorphism.ts).
 */
function recodedHalves({ memory, endomorphism, scalars, list }: ScalarsInMemory, count: number): void {
  endomorphism.splitScalars(scalars, list, 0, count);
  const words = memory.viewUint32(scalars, 2 * HALF_WORDS * count);
  for (let at = 0; at < words.length; at += HALF_WORDS) {
    const isNegative = words[at + HALF_WORDS - 1]! >>> 31 === 1;
    words[at + HALF_WORDS - 1]! &= 0x7fffffff;
    for (let i = at, carry = 0; i < at + HALF_WORDS; i++) {
      const sum = EIGHTS + (isNegative ? -words[i]! : words[i]!) + carry;
      words[i] = sum;
      carry = Math.floor(sum / 2 ** 32);
    }
  }
}
