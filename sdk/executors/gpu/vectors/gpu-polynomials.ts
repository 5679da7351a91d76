import { throwIfAborted, untilAborted } from '../../../base/abort.js';
import { bytesToBigint } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import type { ScalarVector } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { wgslLimbs } from '../../../curves/limbs.js';
import { inverse, mod } from '../../../curves/modular.js';
import { type Coset, cosetOf, oddCoset } from '../../../polynomials/domain.js';
import { Expression } from '../../../polynomials/expression.js';
import {
  ADDITION_BYTES,
  type Additions,
  type ConsumingCall,
  type Indices,
  type Monomial,
  type Polynomials,
  type Term,
  type TransformCall,
  type Vector,
  type VectorCall,
} from '../../../polynomials/polynomials.js';
import { GpuScalars } from '../gpu-scalars.js';
import { polynomialKernelCode, polynomialKernelKey } from '../polynomials/compose.js';
import { kernelR } from '../polynomials/scalar-field.js';
import type { GpuDevice } from '../runtime/device.js';
import { Pace } from '../runtime/pace.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { GpuKernel } from '../runtime/stage.js';
import { extension, GpuAdditions, sortByLevel } from './additions.js';
import { GpuIndices, GpuVector } from './gpu-vector.js';
import type { Operation } from './operation.js';
import {
  concatenation,
  type ElementRun,
  gathering,
  interleaving,
  inversion,
  monomialSum,
  nonzeroQuestion,
  runsOf,
  wordUpload,
} from './operations.js';
import { Programs } from './programs.js';
import { Recorder } from './recorder.js';
import { recurrenceOperation } from './recurrences.js';
import { Transforms } from './transforms.js';
import { VECTOR_KERNELS } from './vector-stages.js';

/** Bytes of an expression's registers, and the part of a limited budget that they take at most. */
const REGISTER_BYTES = 2 ** 26;
const REGISTER_SHARE = 1 / 16;

function registerBytesOf({ memory }: GpuDevice): number {
  return Math.min(REGISTER_BYTES, memory.budget.limit * REGISTER_SHARE);
}

/** The executors of each device. */
const known = new WeakMap<GpuDevice, Map<CurveId, GpuPolynomials>>();

/** What all vectors of a curve on a device share. */
interface DeviceParts {
  readonly gpu: GpuDevice;
  readonly recorder: Recorder;
  readonly programs: Programs;
  readonly transforms: Transforms;
  readonly ready: Promise<unknown>;
}

/** Makes a vector's operation. */
type Make = (target: GpuVector) => Operation;

/**
 * Vectors over a curve's scalar field on a GPU, in Montgomery form with the kernels' R. Operations are recorded and
 * submitted together (`Recorder`): a vector is given out at once, and what goes wrong shows where elements are asked
 * for, or by `settled`. Released vectors are overwritten on the device. Device faults reject with `DEVICE_LOST`,
 * `OUT_OF_MEMORY` or `INTERNAL`. `onProgress` of a transform is not called.
 */
export class GpuPolynomials implements Polynomials {
  /** A second transform at a time would only wait for the first, and take memory. */
  readonly parallelTransforms = 1;
  readonly lasting: Polynomials;
  private readonly modulus: bigint;
  /** 1 / R for the kernels' R. */
  private readonly inverseR: bigint;
  private readonly toMontgomery: Expression;
  private readonly toCanonical: Expression;

  private constructor(
    readonly curve: CurveId,
    private readonly parts: DeviceParts,
    private readonly makesLasting: boolean,
  ) {
    this.modulus = CURVES[curve].fr.modulus;
    const r = kernelR(curve);
    this.inverseR = inverse(r, this.modulus);
    this.toMontgomery = times(r);
    this.toCanonical = times(this.inverseR);
    this.lasting = makesLasting ? this : new GpuPolynomials(curve, parts, true);
  }

  /** The device's, which all keys share. */
  static on(gpu: GpuDevice, curve: CurveId): GpuPolynomials {
    const ofDevice = known.get(gpu) ?? new Map<CurveId, GpuPolynomials>();
    known.set(gpu, ofDevice);
    const ready = ofDevice.get(curve);
    if (ready !== undefined) return ready;
    const executor = GpuPolynomials.create(gpu, curve);
    ofDevice.set(curve, executor);
    // After a failure the next key retries.
    executor.ready.catch(() => ofDevice.delete(curve));
    return executor;
  }

  /**
   * Starts compiling the kernels. `CURVE_MISMATCH` for a curve without transforms.
   *
   * @param registerBytes of the registers of an expression; longer vectors are computed in parts.
   */
  static create(gpu: GpuDevice, curve: CurveId, registerBytes = registerBytesOf(gpu)): GpuPolynomials {
    const { fr, transforms } = CURVES[curve];
    if (transforms === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
    }
    const pipelines = compile(gpu, curve);
    // A failure rejects the first operation.
    pipelines.catch(() => undefined);
    const pace = new Pace(gpu.info.isSoftware);
    const recorder = new Recorder(gpu, { curve, pipelines, pace, limbs: wgslLimbs(fr.bits) });
    const programs = new Programs(curve, registerBytes);
    const parts = { gpu, recorder, programs, transforms: new Transforms(curve), ready: pipelines };
    return new GpuPolynomials(curve, parts, false);
  }

  /** Fulfilled when the kernels are compiled; rejects if they cannot be. */
  get ready(): Promise<unknown> {
    return this.parts.ready;
  }

  /** Whether the device's memory is limited, so that little should stay there. */
  get isMemoryLimited(): boolean {
    return this.parts.gpu.memory.budget.isLimited;
  }

  /** How often all vectors were lost, because a submit had failed. */
  get losses(): number {
    return this.parts.recorder.losses;
  }

  /** Frees what is kept on the device for the next vectors. */
  free(): void {
    this.parts.recorder.free();
  }

  create(bytes: Uint8Array): Vector {
    if (bytes.length % SCALAR_BYTES !== 0) {
      throw new PippinError('INVALID_LENGTH', `expected elements of ${SCALAR_BYTES} bytes, got ${bytes.length} bytes`);
    }
    return this.made(bytes.length / SCALAR_BYTES, (target) =>
      this.parts.programs.operation(this.toMontgomery, [bytes], target, undefined),
    );
  }

  async read(vector: Vector): Promise<Uint8Array> {
    const canonical = this.canonical(this.own(vector));
    if (canonical.length === 0) return new Uint8Array(0);
    const bytes = canonical.length * SCALAR_BYTES;
    return this.parts.recorder.ask(
      {
        reads: [canonical],
        *steps({ answer }) {
          for (const { buffer, count } of canonical.expectElements().parts(0, canonical.length)) {
            yield answer(buffer, 0, count * SCALAR_BYTES);
          }
        },
      },
      bytes,
    );
  }

  scalars(vector: Vector): ScalarVector {
    const canonical = this.canonical(this.own(vector));
    // An MSM takes its turn when it is asked for.
    this.parts.recorder.flush();
    return GpuScalars.of(this.parts.gpu, canonical.length, () => canonical.expectElements());
  }

  settled(vector: Vector): Promise<void> {
    return this.parts.recorder.settled(this.own(vector));
  }

  async multiply(a: Vector, b: Vector, call: ConsumingCall = {}): Promise<Vector> {
    const [x, y] = Expression.operands(2) as [Expression, Expression];
    return this.consuming(a, call, (signal) => this.program(x.times(y), this.sameLength([a, b]), signal));
  }

  async multiplySubtract(a: Vector, b: Vector, c: Vector, call: ConsumingCall = {}): Promise<Vector> {
    const [x, y, z] = Expression.operands(3) as [Expression, Expression, Expression];
    return this.consuming(a, call, (signal) => this.program(x.times(y).minus(z), this.sameLength([a, b, c]), signal));
  }

  async toOddCoset(values: Vector, { signal, consume }: TransformCall = {}): Promise<Vector> {
    const coset = oddCoset(this.curve, values.length);
    const coefficients = await this.inverseNtt(values, cosetOf(this.curve, values.length), { signal, consume });
    return this.ntt(coefficients, coset, { signal, consume: true });
  }

  indices(bytes: Uint8Array): Indices {
    const length = bytes.length / Uint32Array.BYTES_PER_ELEMENT;
    return new GpuIndices(this.words(bytes), length);
  }

  async gather(values: Vector, indices: Indices, call: VectorCall = {}): Promise<Vector> {
    const own = this.own(values);
    const words = indices instanceof GpuIndices ? this.own(indices.words) : notOnGpu('indices');
    const signal = this.checkedSignal(call);
    return this.made(indices.length, (target) => gathering(own, words, target, signal));
  }

  additions(additions: Uint8Array, known: number): Additions {
    const { rows, factors, levels } = sortByLevel(additions, known);
    const count = additions.length / ADDITION_BYTES;
    // From Montgomery form with R = 2^256 to the kernels'.
    const factor = times(kernelR(this.curve) * inverse(1n << 256n, this.modulus));
    const vector = this.made(2 * count, (target) =>
      this.parts.programs.operation(factor, [factors], target, undefined),
    );
    return new GpuAdditions(count, this.words(rows), vector, levels);
  }

  async extend(values: Vector, additions: Additions, call: VectorCall = {}): Promise<Vector> {
    const own = this.own(values);
    if (!(additions instanceof GpuAdditions)) return notOnGpu('additions');
    this.own(additions.rows);
    const signal = this.checkedSignal(call);
    return this.made(own.length + additions.count, (target) => extension(own, additions, target, signal));
  }

  async compute(expression: Expression, operands: readonly Vector[], call: VectorCall = {}): Promise<Vector> {
    return this.program(expression, this.sameLength(operands), this.checkedSignal(call));
  }

  async linearCombination(terms: readonly Term[], call: VectorCall = {}): Promise<Vector> {
    if (terms.length === 0) throw new PippinError('INVALID_LENGTH', 'expected vectors, got none');
    const operands = terms.map(({ vector }) => this.own(vector));
    const products = Expression.operands(terms.length).map((operand, i) => operand.times(terms[i]!.factor));
    return this.program(
      products.reduce((sum, product) => sum.plus(product)),
      operands,
      this.checkedSignal(call),
    );
  }

  async addMonomials(coefficients: Vector, monomials: readonly Monomial[], length: number): Promise<Vector> {
    const own = this.own(coefficients);
    const runs: ElementRun[] = [{ vector: own, from: 0, count: own.length, at: 0 }];
    return this.made(length, (target) => monomialSum(this.curve, runs, monomials, target));
  }

  async slice(coefficients: Vector, from: number, to: number): Promise<Vector> {
    const count = Math.max(0, to - from);
    const runs: ElementRun[] = [{ vector: this.own(coefficients), from, count, at: 0 }];
    return this.made(count, (target) => concatenation(runs, target));
  }

  async concatenate(vectors: readonly Vector[]): Promise<Vector> {
    const runs = runsOf(vectors.map((vector) => this.own(vector)));
    const length = runs.reduce((sum, { count }) => sum + count, 0);
    return this.made(length, (target) => concatenation(runs, target));
  }

  async rotate(values: Vector, by: number): Promise<Vector> {
    const vector = this.own(values);
    const { length } = vector;
    const runs: ElementRun[] = [
      { vector, from: by, count: length - by, at: 0 },
      { vector, from: 0, count: by, at: length - by },
    ];
    return this.made(length, (target) => concatenation(runs, target));
  }

  async interleave(polynomials: readonly Vector[], length: number): Promise<Vector> {
    const own = polynomials.map((polynomial) => this.own(polynomial));
    return this.made(length, (target) => interleaving(own, target));
  }

  async isZeroFrom(vector: Vector, from: number): Promise<boolean> {
    const own = this.own(vector);
    if (from >= own.length) return true;
    const [flag] = await this.parts.recorder.ask(nonzeroQuestion(own, from), Uint32Array.BYTES_PER_ELEMENT);
    return flag === 0;
  }

  async invert(a: Vector, call: ConsumingCall = {}): Promise<Vector> {
    const own = this.own(a);
    return this.consuming(a, call, (signal) =>
      this.made(own.length, (target) => inversion(this.curve, own, target, signal)),
    );
  }

  async prefixProducts(
    a: Vector,
    { signal }: VectorCall = {},
  ): Promise<{ readonly products: Vector; readonly product: Promise<bigint> }> {
    const { target: products, last } = this.recurrence(a, undefined, 1, signal);
    return { products, product: quietly(last.then(([product]) => product ?? 1n)) };
  }

  async evaluate(coefficients: Vector, x: bigint, { signal }: VectorCall = {}): Promise<bigint> {
    throwIfAborted(signal);
    const values = this.own(coefficients);
    if (values.length === 0) return 0n;
    const operation = recurrenceOperation(this.curve, { x: mod(x, this.modulus), stride: 1, values }, signal);
    const [value] = this.decode(await untilAborted(this.parts.recorder.ask(operation, SCALAR_BYTES), signal));
    return value!;
  }

  async divideByBinomial(
    coefficients: Vector,
    z: bigint,
    { signal, k = 1 }: VectorCall & { readonly k?: number } = {},
  ): Promise<{ readonly quotient: Vector; readonly remainder: Promise<readonly bigint[]> }> {
    const { target: quotient, last } = this.recurrence(coefficients, mod(z, this.modulus), k, signal);
    return {
      quotient,
      remainder: quietly(last.then((values) => (values.length > 0 ? values : new Array<bigint>(k).fill(0n)))),
    };
  }

  async ntt(coefficients: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    const domain = cosetOf(this.curve, coset.size, coset.shift);
    const own = this.own(coefficients);
    return this.consuming(coefficients, call, (signal) =>
      this.made(domain.size, (target) => this.parts.transforms.forward(own, domain, target, signal)),
    );
  }

  async inverseNtt(values: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    const domain = cosetOf(this.curve, coset.size, coset.shift);
    const own = this.own(values);
    if (own.length !== domain.size) {
      throw new PippinError('INVALID_LENGTH', `expected ${domain.size} values on the coset, got ${own.length}`);
    }
    return this.consuming(values, call, (signal) =>
      this.made(domain.size, (target) => this.parts.transforms.inverse(own, domain, target, signal)),
    );
  }

  /** The values of an expression, for as many elements as the longest operand has. */
  private program(expression: Expression, operands: readonly GpuVector[], signal: AbortSignal | undefined): GpuVector {
    const length = Math.max(...operands.map((operand) => operand.length));
    return this.made(length, (target) => this.parts.programs.operation(expression, operands, target, signal));
  }

  /** The accumulators before each element, and the last ones; none for no elements. */
  private recurrence(
    vector: Vector,
    x: bigint | undefined,
    stride: number,
    signal: AbortSignal | undefined,
  ): { readonly target: GpuVector; readonly last: Promise<readonly bigint[]> } {
    throwIfAborted(signal);
    const values = this.own(vector);
    const target = this.parts.recorder.vector(values.length, this.makesLasting);
    if (values.length === 0) {
      this.parts.recorder.record({ target, steps: () => [] });
      return { target, last: Promise.resolve([]) };
    }
    const operation = recurrenceOperation(this.curve, { x, stride, values, target }, signal);
    const answer = this.parts.recorder.ask(operation, stride * SCALAR_BYTES);
    return { target, last: untilAborted(answer, signal).then((bytes) => this.decode(bytes)) };
  }

  /** Words on the device, in the memory of as many elements as they fill. */
  private words(bytes: Uint8Array): GpuVector {
    return this.made(Math.ceil(bytes.length / SCALAR_BYTES), (target) => wordUpload(bytes, target));
  }

  private made(length: number, make: Make): GpuVector {
    const target = this.parts.recorder.vector(length, this.makesLasting);
    this.parts.recorder.record(make(target));
    return target;
  }

  /** The result of `compute`; afterwards `a` is released if the call consumes it. */
  private consuming(
    a: Vector,
    call: ConsumingCall,
    compute: (signal: AbortSignal | undefined) => GpuVector,
  ): GpuVector {
    try {
      return compute(this.checkedSignal(call));
    } finally {
      if (call.consume) a.release();
    }
  }

  /** The signal that ends an operation. What stays is also for others, who do not give up. */
  private checkedSignal({ signal }: VectorCall): AbortSignal | undefined {
    throwIfAborted(signal);
    return this.makesLasting ? undefined : signal;
  }

  private canonical(vector: GpuVector): GpuVector {
    return vector.inCanonicalForm(() => {
      const { length, isLasting } = vector;
      const target = this.parts.recorder.vector(length, isLasting);
      this.parts.recorder.record(this.parts.programs.operation(this.toCanonical, [vector], target, undefined));
      return target;
    });
  }

  /** Integers from elements in Montgomery form. */
  private decode(bytes: Uint8Array): bigint[] {
    return Array.from({ length: bytes.length / SCALAR_BYTES }, (_, i) =>
      mod(bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES) * this.inverseR, this.modulus),
    );
  }

  /** `INVALID_ARGUMENT` for a vector of another executor, `DISPOSED` for a released one. */
  private own(vector: Vector): GpuVector {
    if (!(vector instanceof GpuVector) || vector.owner !== this.parts.recorder) {
      throw new PippinError('INVALID_ARGUMENT', 'expected a vector on this GPU, got one of another executor');
    }
    vector.throwIfReleased();
    return vector;
  }

  /** `INVALID_LENGTH` unless all have one length, of which there is one at least. */
  private sameLength(vectors: readonly Vector[]): GpuVector[] {
    const operands = vectors.map((vector) => this.own(vector));
    if (operands.length === 0 || operands.some(({ length }) => length !== operands[0]!.length)) {
      const lengths = operands.map(({ length }) => length).join(', ');
      throw new PippinError('INVALID_LENGTH', `expected vectors of one length, got ${lengths || 'none'}`);
    }
    return operands;
  }
}

/** Throws `INVALID_ARGUMENT` for what another executor made. */
function notOnGpu(what: string): never {
  throw new PippinError('INVALID_ARGUMENT', `expected ${what} on this GPU, got ${what} on another executor`);
}

/** A promise whose failure counts as handled even if nobody awaits it: its vector has failed, too. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The expression of one operand times a constant. */
function times(factor: bigint): Expression {
  return Expression.operands(1)[0]!.times(factor);
}

async function compile(gpu: GpuDevice, curve: CurveId): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
  const compiled = VECTOR_KERNELS.map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
    const code = await polynomialKernelCode(curve, kernel);
    return [kernel, await gpu.pipelines.get(polynomialKernelKey(curve, kernel), kernel, code)];
  });
  return new Map(await Promise.all(compiled));
}
