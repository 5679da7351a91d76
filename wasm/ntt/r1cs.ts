import { the } from '../field/field';
import { SCALAR } from '../generated/scratch';

/** Bytes of a row of a .zkey's coefficient section: matrix, constraint, signal (u32 each), coefficient. */
const ROW: usize = 44;

/** Bytes of a kept entry: constraint, signal, coefficient (u32 each). */
const ENTRY: usize = 12;

/**
 * Most of a circuit's coefficients are 1 and -1: they need no product and no memory. For any other coefficient an entry
 * has its address.
 */
const ONE: u32 = 0;
const MINUS_ONE: u32 = 1;

// Scratch elements of Fr.
const VALUE: usize = memory.data(SCALAR);
const TERM: usize = memory.data(SCALAR);

export function entrySize(): usize {
  return ENTRY;
}

/**
 * Keeps the rows of one matrix as entries at `target`. Their coefficients go, in kernel form, to the address that is
 * stored at `cursor`; it is then moved past them. Returns the number of rows kept, or -1 - i when row i names a
 * constraint outside of the domain or a matrix other than 0 and 1, or has a coefficient that is not below r.
 */
export function loadConstraints<F>(
  rows: usize,
  count: i32,
  matrix: u32,
  domainSize: u32,
  target: usize,
  cursor: usize,
): i32 {
  const f = the<F>();
  let next = load<u32>(cursor);
  let kept: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const row = rows + <usize>i * ROW;
    const constraint = load<u32>(row, 4);
    if (load<u32>(row) > 1 || constraint >= domainSize || !f.isBelowModulus(row + 12)) return -1 - i;
    if (load<u32>(row) != matrix) continue;
    const entry = target + <usize>kept * ENTRY;
    store<u32>(entry, constraint);
    store<u32>(entry, load<u32>(row, 8), 4);
    f.loadSquaredMontgomery(VALUE, row + 12);
    kept++;
    f.setOne(TERM);
    store<u32>(entry, ONE, 8);
    if (f.equals(VALUE, TERM)) continue;
    f.neg(TERM, TERM);
    store<u32>(entry, MINUS_ONE, 8);
    if (f.equals(VALUE, TERM)) continue;
    f.copy(next, VALUE);
    store<u32>(entry, next, 8);
    next += <u32>f.size;
  }
  store<u32>(cursor, next);
  return kept;
}

/**
 * Adds entries from..to to the rows of the product: sums[constraint] += coefficient * witness[signal]. The witness is
 * canonical bytes. The sums are not in Montgomery form, because only the coefficient of each product is. Signals that
 * are 0 take less time if `skipsZeros` is not 0. Returns -1, or the number of an entry whose signal the witness does
 * not have.
 */
export function evaluateConstraints<F>(
  entries: usize,
  from: i32,
  to: i32,
  witness: usize,
  signals: u32,
  skipsZeros: i32,
  sums: usize,
): i32 {
  const f = the<F>();
  for (let i = from; i < to; i++) {
    const entry = entries + <usize>i * ENTRY;
    const signal = load<u32>(entry, 4);
    if (signal >= signals) return i;
    const value = witness + ((<usize>signal) << 5);
    if (skipsZeros != 0 && isZero(value)) continue;
    f.loadPlain(VALUE, value);
    const sum = sums + <usize>load<u32>(entry) * f.size;
    const coefficient = load<u32>(entry, 8);
    if (coefficient == ONE) {
      f.add(sum, sum, VALUE);
    } else if (coefficient == MINUS_ONE) {
      f.sub(sum, sum, VALUE);
    } else {
      f.mul(TERM, coefficient, VALUE);
      f.add(sum, sum, TERM);
    }
  }
  return -1;
}

// @ts-ignore: decorator
@inline
function isZero(value: usize): bool {
  return (load<u64>(value) | load<u64>(value, 8) | load<u64>(value, 16) | load<u64>(value, 24)) == 0;
}

/** The sums as canonical bytes. */
export function storeSums<F>(sums: usize, count: i32, target: usize): void {
  const f = the<F>();
  for (let i: i32 = 0; i < count; i++) f.storePlain(target + ((<usize>i) << 5), sums + <usize>i * f.size);
}
