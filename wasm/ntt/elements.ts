import { the } from '../field/field';
import { SCALAR } from '../generated/scratch';

/**
 * Operations on vectors over a field F with one element a vector. Vectors are canonical bytes, 32 an element. "Plain"
 * is an element that is not in Montgomery form: its product with one in Montgomery form is plain, too, so that only one
 * of two factors is converted.
 */

/** The instructions of a program, see `runProgram`. */
const ADD: u32 = 0;
const SUBTRACT: u32 = 1;
const MULTIPLY: u32 = 2;
const LOAD: u32 = 3;

/** Bytes of an instruction: operation, target, first and second operand, and the strides of both (u32 each). */
const INSTRUCTION: usize = 24;

/** Bytes of an addition of signals: two signals (u32), two factors times 2^256 mod r. */
const ADDITION: usize = 72;

// Scratch elements.
const VALUE: usize = memory.data(SCALAR);
const TERM: usize = memory.data(SCALAR);
const PRODUCT: usize = memory.data(SCALAR);

/**
 * Runs `count` instructions, each on `length` elements. Registers are arrays of elements in Montgomery form; an operand
 * of stride 0 is one element for all. `LOAD` converts canonical bytes.
 */
export function runProgram<F>(program: usize, count: i32, length: i32): void {
  const f = the<F>();
  const end = program + <usize>count * INSTRUCTION;
  for (let at = program; at < end; at += INSTRUCTION) {
    const operation = load<u32>(at);
    let target: usize = load<u32>(at, 4);
    let a: usize = load<u32>(at, 8);
    let b: usize = load<u32>(at, 12);
    const strideA: usize = load<u32>(at, 16);
    const strideB: usize = load<u32>(at, 20);
    const stop = target + <usize>length * f.size;
    for (; target < stop; target += f.size, a += strideA, b += strideB) {
      if (operation == ADD) f.add(target, a, b);
      else if (operation == SUBTRACT) f.sub(target, a, b);
      else if (operation == MULTIPLY) f.mul(target, a, b);
      else if (operation == LOAD) f.loadCanonical(target, a);
    }
  }
}

/** Converts elements of a register to canonical bytes. */
export function storeRegister<F>(register: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) f.storeCanonical(target + ((<usize>i) << 5), register + <usize>i * f.size);
}

/**
 * Replaces every value by the product of `product` and all values before it, and sets `product` (canonical bytes) to
 * the product with all of them.
 */
export function prefixProducts<F>(values: usize, count: i32, product: usize): void {
  const f = the<F>();
  f.loadPlain(PRODUCT, product);
  for (let i: i32 = 0; i < count; i++) {
    const at = values + ((<usize>i) << 5);
    f.loadCanonical(VALUE, at);
    f.storePlain(at, PRODUCT);
    f.mul(PRODUCT, PRODUCT, VALUE);
  }
  f.storePlain(product, PRODUCT);
}

/**
 * The first half of a batch inversion: stores the product of all values but 0 before each one, in Montgomery form at
 * `products`, and the product of all of them as canonical bytes at `product`.
 */
export function nonzeroProducts<F>(values: usize, count: i32, products: usize, product: usize): void {
  const f = the<F>();
  f.setOne(PRODUCT);
  for (let i: i32 = 0; i < count; i++) {
    const at = values + ((<usize>i) << 5);
    f.copy(products + <usize>i * f.size, PRODUCT);
    if (isZeroElement(at)) continue;
    f.loadCanonical(VALUE, at);
    f.mul(PRODUCT, PRODUCT, VALUE);
  }
  f.storeCanonical(product, PRODUCT);
}

/**
 * The second half: replaces every value but 0 by its inverse, given the products and the inverse of the product of all
 * (Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", 1987, section 10.3.1).
 */
export function invertByProducts<F>(values: usize, count: i32, products: usize, inverse: usize): void {
  const f = the<F>();
  f.loadCanonical(PRODUCT, inverse);
  for (let i = count - 1; i >= 0; i--) {
    const at = values + ((<usize>i) << 5);
    if (isZeroElement(at)) continue;
    f.loadCanonical(VALUE, at);
    f.mul(TERM, PRODUCT, products + <usize>i * f.size);
    f.storeCanonical(at, TERM);
    f.mul(PRODUCT, PRODUCT, VALUE);
  }
}

/**
 * Horner's method for the residue classes of indices modulo k: from the last coefficient to the first, with c = i mod
 * k, carry_c becomes carry_c x + a_i. If `target` is not 0, carry_c before that step is stored there as element i: the
 * quotient by X^k - x.
 *
 * @param first the index of the first coefficient here. x and the carries are canonical bytes.
 */
export function hornerSteps<F>(
  coefficients: usize,
  count: i32,
  first: i32,
  k: i32,
  x: usize,
  carries: usize,
  target: usize,
): void {
  const f = the<F>();
  f.loadCanonical(PRODUCT, x);
  for (let i = count - 1; i >= 0; i--) {
    const carry = carries + ((<usize>((first + i) % k)) << 5);
    const at = (<usize>i) << 5;
    f.loadPlain(VALUE, carry);
    f.loadPlain(TERM, coefficients + at);
    if (target != 0) copyElement(target + at, carry);
    f.mul(VALUE, VALUE, PRODUCT);
    f.add(VALUE, VALUE, TERM);
    f.storePlain(carry, VALUE);
  }
}

/** Multiplies value i by `power` base^i, and sets `power` to its product with base^count. Both are canonical bytes. */
export function scaleByPowers<F>(values: usize, count: i32, power: usize, base: usize): void {
  const f = the<F>();
  f.loadCanonical(PRODUCT, power);
  f.loadCanonical(TERM, base);
  for (let i: i32 = 0; i < count; i++) {
    const at = values + ((<usize>i) << 5);
    f.loadPlain(VALUE, at);
    f.mul(VALUE, VALUE, PRODUCT);
    f.storePlain(at, VALUE);
    f.mul(PRODUCT, PRODUCT, TERM);
  }
  f.storeCanonical(power, PRODUCT);
}

/**
 * Computes the signals that are linear combinations of two others, factor_a a + factor_b b, of which each follows the
 * `signals` that are known before. Returns -1, or the number of an addition of unknown signals or with a factor that is
 * not below r.
 */
export function addSignals<F>(additions: usize, count: i32, values: usize, signals: u32): i32 {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) {
    const row = additions + <usize>i * ADDITION;
    const known = signals + <u32>i;
    const a = load<u32>(row);
    const b = load<u32>(row, 4);
    if (a >= known || b >= known || !f.isBelowModulus(row + 8) || !f.isBelowModulus(row + 40)) return i;
    addProduct<F>(row + 8, values + ((<usize>a) << 5), true);
    addProduct<F>(row + 40, values + ((<usize>b) << 5), false);
    f.storePlain(values + ((<usize>known) << 5), PRODUCT);
  }
  return -1;
}

/** Adds the product of a factor and a value to PRODUCT, or sets PRODUCT to it. */
function addProduct<F>(factor: usize, value: usize, isFirst: bool): void {
  const f = the<F>();
  f.loadMontgomery(TERM, factor);
  f.loadPlain(VALUE, value);
  f.mul(VALUE, VALUE, TERM);
  if (isFirst) f.copy(PRODUCT, VALUE);
  else f.add(PRODUCT, PRODUCT, VALUE);
}

/** Copies the value of each signal of a list (u32 each). Returns -1, or the place of an unknown signal. */
export function gatherValues(list: usize, count: i32, values: usize, signals: u32, target: usize): i32 {
  for (let i: i32 = 0; i < count; i++) {
    const signal = load<u32>(list + ((<usize>i) << 2));
    if (signal >= signals) return i;
    copyElement(target + ((<usize>i) << 5), values + ((<usize>signal) << 5));
  }
  return -1;
}

function copyElement(target: usize, source: usize): void {
  for (let at: usize = 0; at < 32; at += 8) store<u64>(target + at, load<u64>(source + at));
}

function isZeroElement(value: usize): bool {
  return (load<u64>(value) | load<u64>(value, 8) | load<u64>(value, 16) | load<u64>(value, 24)) == 0;
}
