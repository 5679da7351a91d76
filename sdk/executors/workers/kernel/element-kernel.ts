import { bigintToBytes, bytesToBigint, newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { laterPart } from '../../../base/load-part.js';
import { CURVES, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse } from '../../../curves/modular.js';
import { ADDITION_BYTES } from '../../../polynomials/polynomials.js';
import type { CheckedProductsArgs, PointsToScaleArgs } from './ceremony/checked-products.js';
import type { DecompressPointsArgs } from './ceremony/compressed-points.js';
import type { LinearCombinationsArgs } from './ceremony/linear-combinations.js';
import type { PointButterfliesArgs, WritePointsArgs } from './ceremony/point-butterflies.js';
import type { ScaleByPowersArgs } from './ceremony/scale-by-powers.js';
import type { ScalePointsArgs } from './ceremony/scale-points.js';
import type { SplitPowersArgs, SplitScalarsArgs } from './ceremony/split-scalars.js';
import { checkKernel } from './check-kernel.js';
import { elementExports } from './element-exports.js';
import { countOf, type WholeInstance } from './kernel-instance.js';
import { productKernel } from './product-kernel.js';
import { type KernelTask, Steps } from './steps.js';

const loadCeremonyCode = laterPart("a ceremony's points", () => import('./ceremony/ceremony-methods.js'));

/** Elements handled by one call into WASM: about a millisecond's work. */
const CHUNK = 1024;

/** Elements of a register: all registers of a program stay in a core's second-level cache. */
const BLOCK = 64;

/** Words of an instruction of a program, and of one of `runProgram` in wasm/ntt/elements.ts. */
const WORDS = 4;
const WASM_WORDS = 6;

/** The operation that converts canonical bytes to a register. */
const LOAD = 3;

/** What every method for vectors takes. */
export interface ElementsArgs {
  /** The curve's compiled module of vectors. */
  readonly module: WebAssembly.Module;
}

/** Vectors of equal length for a straight-line program (`Program` in sdk/polynomials/expression.ts). */
export interface ComputeElementsArgs extends ElementsArgs {
  readonly code: Uint8Array;
  readonly constants: Uint8Array;
  /** The operands, one after another. */
  readonly operands: Uint8Array;
  readonly count: number;
}

export interface HornerArgs extends ElementsArgs {
  readonly coefficients: Uint8Array;
  /** The index of the first coefficient. */
  readonly first: number;
  /** The point, and what each residue class of indices carries over from the coefficients after these. */
  readonly x: Uint8Array;
  readonly carries: Uint8Array;
}

export interface ExtendArgs extends ElementsArgs {
  readonly values: Uint8Array;
  /** Rows of `ADDITION_BYTES`. */
  readonly additions: Uint8Array;
}

export interface GatherArgs extends ElementsArgs {
  readonly values: Uint8Array;
  /** u32 each. */
  readonly indices: Uint8Array;
}

export interface InvertElementsArgs extends ElementsArgs {
  readonly values: Uint8Array;
}

export interface PrefixProductsArgs extends ElementsArgs {
  readonly values: Uint8Array;
  readonly start: Uint8Array;
}

export interface ScaleElementsArgs extends ElementsArgs {
  readonly values: Uint8Array;
  readonly base: Uint8Array;
}

/** How `inPieces` goes over values, and what it returns. */
interface PiecesOptions {
  readonly backwards?: boolean;
  readonly result?: () => Uint8Array;
}

/**
 * A kernel's methods that a first proof does without: the checks of MSMs, and vectors over the scalar field
 * beside transforms, whose bytes are canonical elements below r.
 */
export function elementKernel(instance: WholeInstance) {
  const { curve, memory } = instance;
  const { modulus } = CURVES[curve].fr;

  /**
   * Calls `work` on pieces of a copy of the values in WASM memory, and returns the copy, or what `result` reads. No
   * other copy leaves the memory: the values may be secret.
   */
  async function inPieces(
    values: Uint8Array,
    task: KernelTask | undefined,
    work: (at: number, count: number, from: number) => void,
    { backwards = false, result }: PiecesOptions = {},
  ): Promise<Uint8Array> {
    const count = countOf(values, SCALAR_BYTES, 'elements');
    return memory.scope(async (allocate) => {
      const at = allocate(Math.max(1, values.length));
      memory.write(at, values);
      await new Steps(task, count).run(count, CHUNK, (from, to) => {
        const begin = backwards ? count - to : from;
        work(at + begin * SCALAR_BYTES, to - from, begin);
      });
      return result === undefined ? memory.read(at, values.length) : result();
    });
  }

  return {
    ...productKernel(instance),
    ...checkKernel(instance),
    /** Each point times one scalar, for ceremonies; see `scalePoints`. */
    async scalePoints(args: ScalePointsArgs, task?: KernelTask): Promise<Uint8Array> {
      const { scalePoints } = await loadCeremonyCode();
      return scalePoints(instance, args, task);
    },
    /** Points for a GPU that multiplies them; see `pointsToScale`. */
    async pointsToScale(args: PointsToScaleArgs, task?: KernelTask): Promise<Uint8Array> {
      const { pointsToScale } = await loadCeremonyCode();
      return pointsToScale(instance, args, task);
    },
    /** Scalars in halves, for a GPU; see `splitScalars`. */
    async splitScalars(args: SplitScalarsArgs, task?: KernelTask): Promise<Uint8Array> {
      const { splitScalars } = await loadCeremonyCode();
      return splitScalars(instance, args, task);
    },
    /** The powers of a number in halves, for a GPU; see `splitPowers`. */
    async splitPowers(args: SplitPowersArgs, task?: KernelTask): Promise<Uint8Array> {
      const { splitPowers } = await loadCeremonyCode();
      return splitPowers(instance, args, task);
    },
    /** What the GPU made of them; see `checkedProducts`. */
    async checkedProducts(args: CheckedProductsArgs, task?: KernelTask): Promise<Uint8Array> {
      const { checkedProducts } = await loadCeremonyCode();
      return checkedProducts(instance, args, task);
    },
    /** Each point times the next power of a number, for powers of tau; see `scaleByPowers`. */
    async scalePointsByPowers(args: ScaleByPowersArgs, task?: KernelTask): Promise<Uint8Array> {
      const { scaleByPowers } = await loadCeremonyCode();
      return scaleByPowers(instance, args, task);
    },
    /** The butterflies of an NTT over points; see `pointButterflies`. */
    async pointButterflies(args: PointButterfliesArgs, task?: KernelTask): Promise<Uint8Array> {
      const { pointButterflies } = await loadCeremonyCode();
      return pointButterflies(instance, args, task);
    },
    /** Points in another form; see `writePoints`. */
    async writePoints(args: WritePointsArgs): Promise<Uint8Array> {
      const { writePoints } = await loadCeremonyCode();
      return writePoints(instance, args);
    },
    /** Points of a ceremony from their compressed form; see `decompressPoints`. */
    async decompressPoints(args: DecompressPointsArgs, task?: KernelTask): Promise<Uint8Array> {
      const { decompressPoints } = await loadCeremonyCode();
      return decompressPoints(instance, args, task);
    },
    /** Sums of a few points each, for the set-up of a key; see `linearCombinations`. */
    async linearCombinations(args: LinearCombinationsArgs, task?: KernelTask): Promise<Uint8Array> {
      const { linearCombinations } = await loadCeremonyCode();
      return linearCombinations(instance, args, task);
    },
    /**
     * Runs a straight-line program on the i-th elements of the operands, for all i; the result is its last register.
     */
    async computeElements({ module, code, constants, operands, count }: ComputeElementsArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      const size = exports.elements_size();
      const vectors = count === 0 ? 0 : countOf(operands, count * SCALAR_BYTES, `operands of ${count} elements`);
      const words = new Uint32Array(code.slice().buffer);
      const constantCount = countOf(constants, SCALAR_BYTES, 'constants');
      const registers = 1 + words.reduce((most, word, i) => (i % WORDS === 0 ? most : Math.max(most, word)), 0);
      return memory.scope(async (allocate) => {
        const block = Math.max(1, Math.min(BLOCK, count));
        const base = allocate(registers * block * size);
        const staged = allocate(Math.max(vectors * block, constantCount, 1) * SCALAR_BYTES);
        const addressOf = (register: number): number => base + register * block * size;
        const strideOf = (register: number): number =>
          register >= vectors && register < vectors + constantCount ? 0 : size;
        const instructions: number[] = [];
        for (let v = 0; v < vectors; v++) {
          instructions.push(LOAD, addressOf(v), staged + v * block * SCALAR_BYTES, 0, SCALAR_BYTES, 0);
        }
        for (let i = 0; i < words.length; i += WORDS) {
          const [operation, target, a, b] = words.subarray(i, i + WORDS) as unknown as [number, number, number, number];
          instructions.push(operation, addressOf(target), addressOf(a), addressOf(b), strideOf(a), strideOf(b));
        }
        const program = allocate(4 * instructions.length);
        const load = allocate(4 * WASM_WORDS);
        for (let c = 0; c < constantCount; c++) {
          memory.write(staged, constants.subarray(c * SCALAR_BYTES, (c + 1) * SCALAR_BYTES));
          memory.viewUint32(load, WASM_WORDS).set([LOAD, addressOf(vectors + c), staged, 0, SCALAR_BYTES, 0]);
          exports.elements_run(load, 1, 1);
        }
        memory.viewUint32(program, instructions.length).set(instructions);
        const last = addressOf(words[words.length - WORDS + 1] ?? 0);
        const result = newBytes(count * SCALAR_BYTES);
        await new Steps(task, count).run(count, block, (from, to) => {
          for (let v = 0; v < vectors; v++) {
            const at = (v * count + from) * SCALAR_BYTES;
            memory.write(staged + v * block * SCALAR_BYTES, operands.subarray(at, at + (to - from) * SCALAR_BYTES));
          }
          exports.elements_run(program, instructions.length / WASM_WORDS, to - from);
          exports.elements_store(last, to - from, staged);
          result.set(memory.view(staged, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
        });
        return result;
      });
    },

    /** The product of `start` and all values. */
    async productOfElements({ module, values, start }: PrefixProductsArgs) {
      const exports = await elementExports(instance, module);
      return memory.scope(async (allocate) => {
        const product = allocate(SCALAR_BYTES);
        memory.write(product, start);
        const work = (at: number, count: number): void => exports.elements_prefixProducts(at, count, product);
        return inPieces(values, undefined, work, { result: () => memory.read(product, SCALAR_BYTES) });
      });
    },

    /** For each value the product of `start` and all values before it. */
    async prefixProducts({ module, values, start }: PrefixProductsArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      return memory.scope((allocate) => {
        const product = allocate(SCALAR_BYTES);
        memory.write(product, start);
        return inPieces(values, task, (at, count) => exports.elements_prefixProducts(at, count, product));
      });
    },

    /** 1 / v for every value but 0, which stays 0. */
    async invertElements({ module, values }: InvertElementsArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      return memory.scope((allocate) => {
        const products = allocate(CHUNK * exports.elements_size());
        const product = allocate(SCALAR_BYTES);
        return inPieces(values, task, (at, count) => {
          exports.elements_nonzeroProducts(at, count, products, product);
          const all = bytesToBigint(memory.view(product, SCALAR_BYTES), 0, SCALAR_BYTES);
          memory.write(product, bigintToBytes(inverse(all, modulus), SCALAR_BYTES));
          exports.elements_invertByProducts(at, count, products, product);
        });
      });
    },

    /**
     * Horner's method for each residue class of the indices modulo k, the number of carries: what the classes carry
     * over from these coefficients on.
     */
    async hornerCarries({ module, coefficients, first, x, carries }: HornerArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      return memory.scope(async (allocate) => {
        const [xAt, carriesAt] = [allocate(SCALAR_BYTES), allocate(carries.length)];
        memory.write(xAt, x);
        memory.write(carriesAt, carries);
        const k = countOf(carries, SCALAR_BYTES, 'carries');
        const work = (at: number, count: number, from: number): void =>
          exports.elements_horner(at, count, first + from, k, xAt, carriesAt, 0);
        const result = (): Uint8Array => memory.read(carriesAt, carries.length);
        return inPieces(coefficients, task, work, { backwards: true, result });
      });
    },

    /** The same, but returns what was carried over to each coefficient: the quotient by X^k - x. */
    async hornerQuotient({ module, coefficients, first, x, carries }: HornerArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      return memory.scope((allocate) => {
        const [xAt, carriesAt] = [allocate(SCALAR_BYTES), allocate(carries.length)];
        memory.write(xAt, x);
        memory.write(carriesAt, carries);
        const k = countOf(carries, SCALAR_BYTES, 'carries');
        // An element is read before its place is written.
        const work = (at: number, count: number, from: number): void =>
          exports.elements_horner(at, count, first + from, k, xAt, carriesAt, at);
        return inPieces(coefficients, task, work, { backwards: true });
      });
    },

    /** v_i base^i. */
    async scaleByPowers({ module, values, base }: ScaleElementsArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      return memory.scope((allocate) => {
        const [power, baseAt] = [allocate(SCALAR_BYTES), allocate(SCALAR_BYTES)];
        memory.write(power, bigintToBytes(1n, SCALAR_BYTES));
        memory.write(baseAt, base);
        return inPieces(values, task, (at, count) => exports.elements_scaleByPowers(at, count, power, baseAt));
      });
    },

    /**
     * The elements, followed by sums of two multiples of earlier ones each. `MALFORMED_FILE` names the first addition
     * of an unknown element.
     */
    async extendElements({ module, values, additions }: ExtendArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      const known = countOf(values, SCALAR_BYTES, 'elements');
      const added = countOf(additions, ADDITION_BYTES, 'additions');
      const bytes = (known + added) * SCALAR_BYTES;
      return memory.scope(async (allocate) => {
        const at = allocate(Math.max(1, bytes));
        memory.write(at, values);
        const staged = allocate(CHUNK * ADDITION_BYTES);
        await new Steps(task, added).run(added, CHUNK, (from, to) => {
          memory.write(staged, additions.subarray(from * ADDITION_BYTES, to * ADDITION_BYTES));
          const bad = exports.elements_addSignals(staged, to - from, at, known + from);
          if (bad >= 0) throw unknownSignal(from + bad);
        });
        return memory.read(at, bytes);
      });
    },

    /** The elements with these indices. `INVALID_ARGUMENT` for an index that no element has. */
    async gather({ module, values, indices }: GatherArgs, task?: KernelTask) {
      const exports = await elementExports(instance, module);
      const length = countOf(values, SCALAR_BYTES, 'elements');
      const count = countOf(indices, 4, 'indices');
      return memory.scope(async (allocate) => {
        const valuesAt = allocate(Math.max(1, values.length));
        memory.write(valuesAt, values);
        const staged = allocate(4 * CHUNK);
        const target = allocate(SCALAR_BYTES * CHUNK);
        const result = newBytes(count * SCALAR_BYTES);
        await new Steps(task, count).run(count, CHUNK, (from, to) => {
          memory.write(staged, indices.subarray(4 * from, 4 * to));
          const bad = exports.elements_gather(staged, to - from, valuesAt, length, target);
          if (bad >= 0) {
            throw new PippinError('INVALID_ARGUMENT', `expected indices below ${length}, got another at ${from + bad}`);
          }
          result.set(memory.view(target, (to - from) * SCALAR_BYTES), from * SCALAR_BYTES);
        });
        return result;
      });
    },
  };
}

function unknownSignal(index: number): PippinError {
  return new PippinError(
    'MALFORMED_FILE',
    `expected addition ${index} of signals that the key has, with factors below r, got one that is not`,
  );
}
