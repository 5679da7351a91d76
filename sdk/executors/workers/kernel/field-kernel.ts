import { bigintToBytes, bytesToBigint, newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { CURVES, SCALAR_BYTES, type ScalarFieldParameters } from '../../../curves/index.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import { rootOfUnity } from '../../../curves/root-of-unity.js';
import { expectPart, type WholeInstance } from './kernel-instance.js';
import { type KernelTask, Steps } from './steps.js';
import { TransformData } from './transform-data.js';
import { TwiddleTable } from './twiddle-table.js';

/**
 * Elements handled by one call into WASM: well under a millisecond's work, and few enough to be staged in a small
 * buffer.
 */
const CHUNK = 4096;

/** A kernel's methods for vectors over the scalar field: transforms and element-wise products. */
export function fieldKernel(instance: WholeInstance) {
  const { curve, memory } = instance;
  const { fr } = CURVES[curve];
  let tables: { readonly forward: TwiddleTable; readonly coset: TwiddleTable } | undefined;

  /** The tables of factors. They are made at the first use, since not every curve has transforms. */
  function twiddleTables() {
    const exports = expectPart(curve, 'transforms', instance.transforms);
    tables ??= {
      forward: new TwiddleTable('forward', fr, exports, memory),
      coset: new TwiddleTable('coset', fr, exports, memory),
    };
    return tables;
  }

  /** Runs `work` on memory for 2^logN elements. */
  function withElements(logN: number, steps: Steps, work: (elements: TransformData) => Promise<Uint8Array>) {
    const exports = expectPart(curve, 'transforms', instance.transforms);
    return memory.scope((allocate) => {
      const data = allocate(2 ** logN * exports.ntt_elementSize());
      return work(new TransformData(exports, memory, steps, data, logN));
    });
  }

  async function elementwise(
    operands: readonly Uint8Array[],
    compute: (at: readonly number[], count: number, target: number) => void,
  ): Promise<Uint8Array> {
    const bytes = operands[0]!.length;
    if (bytes % SCALAR_BYTES !== 0 || operands.some((operand) => operand.length !== bytes)) {
      const lengths = operands.map((operand) => operand.length).join(', ');
      throw new PippinError(
        'INVALID_LENGTH',
        `expected operands of equal length in elements of ${SCALAR_BYTES} bytes, got ${lengths} bytes`,
      );
    }
    const count = bytes / SCALAR_BYTES;
    return memory.scope(async (allocate) => {
      // Room for one more than an odd count: WASM takes elements two at a time.
      const staged = operands.map(() => allocate(Math.min(count + 1, CHUNK) * SCALAR_BYTES));
      const result = newBytes(bytes);
      await new Steps(undefined, count).run(count, CHUNK, (from, to) => {
        const [begin, end] = [from * SCALAR_BYTES, to * SCALAR_BYTES];
        for (const [i, operand] of operands.entries()) memory.write(staged[i]!, operand.subarray(begin, end));
        // The result overwrites the first operand: element i is read before it is written.
        compute(staged, to - from, staged[0]!);
        result.set(memory.view(staged[0]!, end - begin), begin);
      });
      return result;
    });
  }

  return {
    /** NTT over Fr of 2^k elements, natural order in and out; the inverse NTT divides by 2^k. */
    async transform(
      { values, direction }: { readonly values: Uint8Array; readonly direction: 'forward' | 'inverse' },
      task?: KernelTask,
    ): Promise<Uint8Array> {
      const { forward } = twiddleTables();
      const logN = logarithm(values, fr.twoAdicity);
      if (logN < 2) return transformSmall(values, direction, fr);
      const n = 2 ** logN;
      const copies = (direction === 'forward' ? 2 : 3) * n;
      const steps = new Steps(task, copies + forward.missing(n / 2) + (logN * n) / 2);
      const twiddles = await forward.withAtLeast(n / 2, steps);
      return withElements(logN, steps, async (elements) => {
        await elements.load(values);
        await elements.forwardStages(twiddles);
        if (direction === 'forward') return elements.storeReversed();
        const scale = inverse(BigInt(n), fr.modulus);
        await elements.scale([scale, scale], 0, n);
        return withOppositeIndices(await elements.storeReversed());
      });
    },

    /**
     * Values of a polynomial of degree < n on the odd 2n-th roots of unity, from its values on the n-th roots. n is 2^k
     * with k below the field's two-adicity: the largest domain of all, which snarkjs shifts by another factor, does not
     * fit a WASM memory.
     */
    async shiftToCoset({ values }: { readonly values: Uint8Array }, task?: KernelTask): Promise<Uint8Array> {
      const { forward, coset } = twiddleTables();
      const logN = logarithm(values, fr.twoAdicity - 1);
      if (logN < 2) return transformSmall(values, 'coset', fr);
      const n = 2 ** logN;
      const steps = new Steps(task, 3 * n + forward.missing(n / 2) + coset.missing(n) + logN * n);
      const forwardTwiddles = await forward.withAtLeast(n / 2, steps);
      const cosetTwiddles = await coset.withAtLeast(n, steps);
      return withElements(logN, steps, async (elements) => {
        await elements.load(values);
        await elements.forwardStages(forwardTwiddles);
        // All but the first are divided by -n (see wasm/ntt/ntt.ts).
        const scale = inverse(BigInt(n), fr.modulus);
        const negative = fr.modulus - scale;
        await elements.scale([scale, negative], 0, 2);
        await elements.scale([negative, negative], 2, n);
        await elements.cosetStages(cosetTwiddles);
        return elements.store();
      });
    },

    /** a_i b_i. */
    async multiplyElements({ a, b }: { readonly a: Uint8Array; readonly b: Uint8Array }): Promise<Uint8Array> {
      const exports = expectPart(curve, 'transforms', instance.transforms);
      return elementwise([a, b], ([x, y], count, target) => exports.ntt_multiplyElements(x!, y!, count, target));
    },

    /** a_i b_i - c_i. */
    async multiplySubtract({
      a,
      b,
      c,
    }: {
      readonly a: Uint8Array;
      readonly b: Uint8Array;
      readonly c: Uint8Array;
    }): Promise<Uint8Array> {
      const exports = expectPart(curve, 'transforms', instance.transforms);
      return elementwise([a, b, c], ([x, y, z], count, target) =>
        exports.ntt_multiplySubtract(x!, y!, z!, count, target),
      );
    },
  };
}

/** k for 2^k elements; `INVALID_LENGTH` when there is no such k up to `most`. */
function logarithm(values: Uint8Array, most: number): number {
  const k = Math.log2(values.length / SCALAR_BYTES);
  if (!Number.isInteger(k) || k < 0 || k > most) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected 2^k elements of ${SCALAR_BYTES} bytes with k from 0 to ${most}, got ${values.length} bytes`,
    );
  }
  return k;
}

/** Brings elements 0, n - 1, n - 2, .. 1 into this order, in place; nothing else may use the array's buffer. */
function withOppositeIndices(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(bytes.buffer);
  const size = SCALAR_BYTES / 4;
  for (let low = size, high = words.length - size; low < high; low += size, high -= size) {
    for (let w = 0; w < size; w++) {
      const kept = words[low + w]!;
      words[low + w] = words[high + w]!;
      words[high + w] = kept;
    }
  }
  return bytes;
}

export type TransformKind = 'forward' | 'inverse' | 'coset';

/**
 * The transforms of one or two elements, which the stages of wasm/ntt/ntt.ts do not handle. 'coset' maps the values at
 * 1 and -1 to the values at i and -i, where i is a primitive 4th root of unity.
 */
export function transformSmall(values: Uint8Array, kind: TransformKind, fr: ScalarFieldParameters): Uint8Array {
  if (values.length === SCALAR_BYTES) return values.slice();
  const p = fr.modulus;
  const x = bytesToBigint(values, 0, SCALAR_BYTES);
  const y = bytesToBigint(values, SCALAR_BYTES, SCALAR_BYTES);
  let [a, b] = [x + y, x - y];
  if (kind !== 'forward') {
    const half = inverse(2n, p);
    [a, b] = [a * half, b * half];
  }
  if (kind === 'coset') {
    const shifted = b * power(rootOfUnity(fr), 1n << BigInt(fr.twoAdicity - 2), p);
    [a, b] = [a + shifted, a - shifted];
  }
  const result = new Uint8Array(2 * SCALAR_BYTES);
  result.set(bigintToBytes(mod(a, p), SCALAR_BYTES));
  result.set(bigintToBytes(mod(b, p), SCALAR_BYTES), SCALAR_BYTES);
  return result;
}
