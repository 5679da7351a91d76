import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse, power } from '../../../curves/modular.js';
import { type Coset, rootOfDomain } from '../../../polynomials/domain.js';
import { butterflyStage } from '../polynomials/quotient-stages.js';
import { elementBytes, kernelR } from '../polynomials/scalar-field.js';
import { TRANSFORM_SHAPE, transformPasses } from '../polynomials/transform-passes.js';
import type { GpuVector } from './gpu-vector.js';
import { type Operation, type VectorStep, WHOLE } from './operation.js';
import { shiftStage } from './vector-stages.js';

/** Tables of powers that are kept: of a few domains with their cosets, in both directions. */
const MOST_TABLES = 64;

/** A transform's factors: powers of its shift (shaders/polynomials/shift.wgsl). */
interface Powers {
  readonly lowBits: number;
  readonly bytes: Uint8Array;
}

/** What a table of powers is made from. */
interface PowerFactors {
  readonly base: bigint;
  readonly scale: bigint;
  readonly fold: bigint;
}

/** Transforms between coefficients and values on a coset, with the butterflies of the quotient. */
export class Transforms {
  private readonly tables = new Map<string, Powers>();

  constructor(private readonly curve: CurveId) {}

  /**
   * An NTT. The butterflies evaluate at the odd powers of a primitive root w of twice the order, so that coefficient i
   * is first multiplied by (s / w)^i for the shift s.
   */
  forward(coefficients: GpuVector, { size, shift }: Coset, target: GpuVector, signal?: AbortSignal): Operation {
    const log = Math.log2(size);
    const { modulus } = CURVES[this.curve].fr;
    const { lowBits, bytes } = this.powers('forward', { size, shift }, () => {
      const root = rootOfDomain(this.curve, 2 * size);
      const base = (shift * inverse(root, modulus)) % modulus;
      return { base, scale: 1n, fold: power(shift, BigInt(size), modulus) };
    });
    const { length } = coefficients;
    return {
      reads: [coefficients],
      target,
      block: WHOLE,
      scratch: { powers: bytes.length },
      transformLog: log,
      signal,
      *steps({ twiddles }) {
        const [values, result] = [coefficients.expectBuffer(), target.expectBuffer()];
        yield { kind: 'upload', buffer: 'powers', run: (write) => write(0, bytes) };
        for (const dispatch of shiftStage.dispatches({ log, length, lowBits, rises: true, values, result })) {
          yield { kind: 'dispatch', dispatch };
        }
        yield* butterflies(log, result, twiddles, 'rises');
      },
    };
  }

  /** An inverse NTT: the butterflies leave coefficient i times n s^i, in bit-reversed order. */
  inverse(values: GpuVector, { size, shift }: Coset, target: GpuVector, signal?: AbortSignal): Operation {
    const log = Math.log2(size);
    const { modulus } = CURVES[this.curve].fr;
    const { lowBits, bytes } = this.powers('inverse', { size, shift }, () => ({
      base: inverse(shift, modulus),
      scale: inverse(BigInt(size), modulus),
      fold: 0n,
    }));
    return {
      reads: [values],
      target,
      block: WHOLE,
      scratch: { powers: bytes.length, values: size * SCALAR_BYTES },
      transformLog: log,
      signal,
      *steps({ twiddles }) {
        const [source, result] = [values.expectBuffer(), target.expectBuffer()];
        yield { kind: 'upload', buffer: 'powers', run: (write) => write(0, bytes) };
        yield {
          kind: 'encode',
          run: (encoder, get) => encoder.copyBufferToBuffer(source, 0, get('values'), 0, size * SCALAR_BYTES),
        };
        yield* butterflies(log, 'values', twiddles, 'falls');
        const work = { log, length: size, lowBits, rises: false, values: 'values', result } as const;
        for (const dispatch of shiftStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
      },
    };
  }

  /** `fold`, then the powers of `base` up to the coset's size, the high ones times `scale`; from `make` once. */
  private powers(direction: 'forward' | 'inverse', { size, shift }: Coset, make: () => PowerFactors): Powers {
    const key = [direction, size, shift].join();
    let known = this.tables.get(key);
    if (known === undefined) {
      const { base, scale, fold } = make();
      const { modulus } = CURVES[this.curve].fr;
      const log = Math.log2(size);
      const r = kernelR(this.curve);
      const lowBits = Math.ceil(log / 2);
      const step = power(base, 2n ** BigInt(lowBits), modulus);
      const low = series(r, base, 2 ** lowBits, modulus);
      const high = series(r * scale, step, 2 ** (log - lowBits), modulus);
      known = { lowBits, bytes: elementBytes(this.curve, [fold * r, ...low, ...high]) };
      if (this.tables.size === MOST_TABLES) this.tables.clear();
      this.tables.set(key, known);
    }
    return known;
  }
}

/** first, first factor, first factor^2 .. */
function series(first: bigint, factor: bigint, count: number, modulus: bigint): bigint[] {
  const values = [first % modulus];
  for (let i = 1; i < count; i++) values.push((values[i - 1]! * factor) % modulus);
  return values;
}

/** All levels of a transform, in place: down, from natural to bit-reversed order, or up. */
function* butterflies(
  log: number,
  data: GPUBuffer | 'values',
  factors: GPUBuffer,
  direction: 'falls' | 'rises',
): Generator<VectorStep, void> {
  const falls = direction === 'falls';
  const passes = transformPasses(log, TRANSFORM_SHAPE);
  for (const pass of falls ? passes.toReversed() : passes) {
    const work = { log, data, factors, ...pass, falls, rises: !falls };
    for (const dispatch of butterflyStage.dispatches(work)) yield { kind: 'dispatch', dispatch };
  }
}
