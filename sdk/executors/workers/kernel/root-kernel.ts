import { bigintToBytes, newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../../curves/index.js';
import { packedMontgomeryBits } from '../../../curves/limbs.js';
import { inverse } from '../../../curves/modular.js';
import { wholePart } from './exports.js';
import { ROOTS_NAMES, type RootExports } from './generated/root-exports.js';
import { countOf, type WholeInstance } from './kernel-instance.js';
import { KernelMemory } from './memory.js';
import { type KernelTask, Steps } from './steps.js';

/** Points decompressed between two copies into WASM memory: 2 ms. */
const CHUNK = 256;

/** Points without y. */
export interface Compressed {
  readonly group: GroupId;
  /** Of each finite point x as in a .zkey, with the sign of y in the highest bit. */
  readonly compressed: Uint8Array;
  /** What the points are, and the number of the first, in messages. */
  readonly what: string;
  readonly first: number;
}

export interface DecompressArgs extends Compressed {
  /** The curve's compiled module of square roots. */
  readonly module: WebAssembly.Module;
}

/** What writes points in other forms, by the kernel that it belongs to. */
const rootKernels = new WeakMap<WholeInstance, Promise<RootKernel>>();

/** Square roots in a memory of their own. */
export class RootKernel {
  /** What its functions compute with, by the factor of coordinates that are written. */
  private readonly constants = new Map<bigint, number>();

  private constructor(
    private readonly curve: CurveId,
    private readonly exports: RootExports,
    private readonly memory: KernelMemory,
  ) {}

  /** The one that serves a kernel; it is made when it is first asked for. */
  static of(instance: WholeInstance, module: WebAssembly.Module): Promise<RootKernel> {
    const made = rootKernels.get(instance) ?? RootKernel.create(instance.curve, module);
    rootKernels.set(instance, made);
    return made;
  }

  /** @param module the curve's module of square roots, in either form. */
  static async create(curve: CurveId, module: WebAssembly.Module): Promise<RootKernel> {
    const exports = wholePart<RootExports & { readonly memory: WebAssembly.Memory }>(
      (await WebAssembly.instantiate(module, {})).exports,
      ROOTS_NAMES,
    );
    const memory = new KernelMemory(exports.memory, exports.heapBase());
    return new RootKernel(curve, exports, memory);
  }

  /**
   * The points in the form of a .zkey: x and y times R mod p. `INVALID_POINT` names the first whose x is not below p,
   * or belongs to no point of the curve.
   */
  async decompress({ group, compressed, what, first }: Compressed, task?: KernelTask): Promise<Uint8Array> {
    const { curve, exports, memory } = this;
    const constants = this.constantsFor(montgomeryFactor(curve));
    const bytes = pointBytes(curve, group);
    const count = countOf(compressed, bytes / 2, 'compressed points');
    const decompress = group === 'g1' ? exports.g1_decompress : exports.g2_decompress;
    const points = newBytes(count * bytes);
    await memory.scope(async (allocate) => {
      const source = allocate(CHUNK * (bytes / 2));
      const target = allocate(CHUNK * bytes);
      await new Steps(task, count).run(count, CHUNK, (from, to) => {
        memory.write(source, compressed.subarray((from * bytes) / 2, (to * bytes) / 2));
        const found = decompress(source, to - from, constants, target);
        if (found < 0) throw invalidPoint(curve, what, first + from - 1 - found);
        points.set(memory.view(target, (to - from) * bytes), from * bytes);
      });
    });
    return points;
  }

  /** Finite points from the packed form to the form of a .zkey, at most `CHUNK` at a time in WASM memory. */
  toMontgomery(group: GroupId, packed: Uint8Array): Uint8Array {
    return this.fromPacked(group, packed, montgomeryFactor(this.curve));
  }

  /** The same to the boundary form. */
  toCanonical(group: GroupId, packed: Uint8Array): Uint8Array {
    return this.fromPacked(group, packed, 1n);
  }

  /** Points from the form of a .zkey, with coordinates below p, to the boundary form. */
  fromMontgomery(group: GroupId, points: Uint8Array): Uint8Array {
    return this.multiplied(group, points, inverse(montgomeryFactor(this.curve), CURVES[this.curve].fq.modulus));
  }

  /** Coordinates from canonical bytes to the form of a .zkey: of whole points, or each x alone. */
  toMontgomeryOfCanonical(group: GroupId, coordinates: Uint8Array): Uint8Array {
    return this.multiplied(group, coordinates, montgomeryFactor(this.curve));
  }

  /** Points with all coordinates times a number, in whatever form they are. */
  multiplied(group: GroupId, points: Uint8Array, by: bigint): Uint8Array {
    const { curve, exports, memory } = this;
    const constants = this.constantsFor(by);
    const { coordinateBytes } = CURVES[curve];
    const step = CHUNK * pointBytes(curve, group);
    const multiples = newBytes(points.length);
    const [source, target] = [memory.allocate(step), memory.allocate(step)];
    for (let from = 0; from < points.length; from += step) {
      const some = points.subarray(from, from + step);
      memory.write(source, some);
      exports.multiply(source, some.length / coordinateBytes, constants, target);
      multiples.set(memory.view(target, some.length), from);
    }
    memory.release(source);
    memory.release(target);
    return multiples;
  }

  /** Packed points in the form that has canonical coordinates times a factor. */
  private fromPacked(group: GroupId, packed: Uint8Array, factor: bigint): Uint8Array {
    const { modulus } = CURVES[this.curve].fq;
    return this.multiplied(group, packed, (factor * inverse(packedFactor(this.curve), modulus)) % modulus);
  }

  private constantsFor(factor: bigint): number {
    let at = this.constants.get(factor);
    if (at === undefined) {
      const written = constantsOf(this.curve, factor);
      at = this.memory.allocate(written.length);
      this.memory.write(at, written);
      this.constants.set(factor, at);
    }
    return at;
  }
}

function invalidPoint(curve: CurveId, what: string, index: number): PippinError {
  return new PippinError(
    'INVALID_POINT',
    `expected finite point ${index} of ${what} as x of a point on ${curve} and its sign, got another x`,
  );
}

/** Bits of an odd power that a step multiplies by, at most, and what stands for none. */
const WINDOW_BITS = 5;
const NO_PRODUCT = 255;

/**
 * What square roots are computed with, as wasm/curve/decompress.ts takes it.
 *
 * @param factor what coordinates are multiplied by when they are written.
 */
export function constantsOf(curve: CurveId, factor = montgomeryFactor(curve)): Uint8Array {
  const { fq, coordinateBytes } = CURVES[curve];
  const p = fq.modulus;
  const steps = powerSteps((p - 3n) / 4n);
  return new Uint8Array([
    ...bigintToBytes(factor, coordinateBytes),
    ...bigintToBytes((p + 1n) / 2n, coordinateBytes),
    ...bigintToBytes(BigInt(steps.length), 4),
    ...steps.flat(),
  ]);
}

/** R mod p: coordinates in a .zkey are in Montgomery form. */
function montgomeryFactor(curve: CurveId): bigint {
  const { fq, coordinateBytes } = CURVES[curve];
  return (1n << BigInt(8 * coordinateBytes)) % fq.modulus;
}

/** What coordinates of the packed form are multiplied by. */
function packedFactor(curve: CurveId): bigint {
  const { fq } = CURVES[curve];
  return (1n << BigInt(packedMontgomeryBits(fq.bits))) % fq.modulus;
}

/**
 * An exponent by sliding windows: squares, and then a product with the power 2 i + 1 for a place i of the table. The
 * first step has a product alone.
 */
export function powerSteps(exponent: bigint): [squares: number, place: number][] {
  const bits = exponent.toString(2);
  const steps: [number, number][] = [];
  let squares = 0;
  for (let at = 0; at < bits.length; ) {
    if (bits[at] === '0') {
      squares++;
      at++;
      continue;
    }
    const window = bits.slice(at, at + WINDOW_BITS).replace(/0+$/, '');
    squares += window.length;
    steps.push([steps.length === 0 ? 0 : squares, (Number.parseInt(window, 2) - 1) / 2]);
    at += window.length;
    squares = 0;
  }
  if (squares > 0) steps.push([squares, NO_PRODUCT]);
  return steps;
}
