// circom's operators on its numbers (./numbers.ts), each one function for the operands that most have: both short, or
// both with the value that is computed with. What has to be converted first, or becomes too large to be short, is left
// to the circuit's own function.

import { Fr_F1m_mul, Fr_F1m_square } from '../generated/circuit-product';
import { add, flagsOf, isEqual, LONG, LONG_MONTGOMERY_WORD, LONG_NORMAL_WORD, MONTGOMERY, subtract, VALUE } from './numbers';

/** The functions that the circuit's code has. */
@external('circuit', 'Fr_add')
declare function addInCircuit(r: usize, a: usize, b: usize): void;
@external('circuit', 'Fr_sub')
declare function subtractInCircuit(r: usize, a: usize, b: usize): void;
@external('circuit', 'Fr_mul')
declare function multiplyInCircuit(r: usize, a: usize, b: usize): void;
@external('circuit', 'Fr_lt')
declare function lessInCircuit(r: usize, a: usize, b: usize): void;

/** r = a + b. */
export function addNumbers(r: usize, a: usize, b: usize): void {
  const flags = flagsOf(a);
  const others = flagsOf(b);
  if (((flags | others) & LONG) == 0) {
    const sum = <i64>load<i32>(a) + <i64>load<i32>(b);
    if (sum != <i64>(<i32>sum)) addInCircuit(r, a, b);
    else store<u64>(r, <u64>(<u32>sum));
    return;
  }
  const word = wordOfSum(flags, others);
  if (word == 0) {
    addInCircuit(r, a, b);
    return;
  }
  store<u32>(r, word, 4);
  add(a + VALUE, b + VALUE, r + VALUE);
}

/** r = a - b. */
export function subtractNumbers(r: usize, a: usize, b: usize): void {
  const flags = flagsOf(a);
  const others = flagsOf(b);
  if (((flags | others) & LONG) == 0) {
    const difference = <i64>load<i32>(a) - <i64>load<i32>(b);
    if (difference != <i64>(<i32>difference)) subtractInCircuit(r, a, b);
    else store<u64>(r, <u64>(<u32>difference));
    return;
  }
  const word = wordOfSum(flags, others);
  if (word == 0) {
    subtractInCircuit(r, a, b);
    return;
  }
  store<u32>(r, word, 4);
  subtract(a + VALUE, b + VALUE, r + VALUE);
}

/** r = a b. */
export function multiplyNumbers(r: usize, a: usize, b: usize): void {
  const flags = flagsOf(a);
  const others = flagsOf(b);
  if (((flags | others) & LONG) == 0) {
    const product = <i64>load<i32>(a) * <i64>load<i32>(b);
    if (product != <i64>(<i32>product)) multiplyInCircuit(r, a, b);
    else store<u64>(r, <u64>(<u32>product));
    return;
  }
  if ((flags & others & MONTGOMERY) != 0) store<u32>(r, LONG_MONTGOMERY_WORD, 4);
  else if ((flags & others & LONG) != 0 && ((flags | others) & MONTGOMERY) != 0) store<u32>(r, LONG_NORMAL_WORD, 4);
  else {
    multiplyInCircuit(r, a, b);
    return;
  }
  if (a == b) Fr_F1m_square(a + VALUE, r + VALUE);
  else Fr_F1m_mul(a + VALUE, b + VALUE, r + VALUE);
}

/** r = 1 if a = b, otherwise 0. */
export function equalNumbers(r: usize, a: usize, b: usize): void {
  const areShort = ((flagsOf(a) | flagsOf(b)) & LONG) == 0;
  store<u64>(r, <u64>(areShort ? i32(load<i32>(a) == load<i32>(b)) : isEqual(a, b)));
}

/** r = 1 if a < b, otherwise 0. */
export function lessNumbers(r: usize, a: usize, b: usize): void {
  if (((flagsOf(a) | flagsOf(b)) & LONG) != 0) {
    lessInCircuit(r, a, b);
    return;
  }
  // Beside a value of 64 bits the compiler would load, and compare, numbers of 64 bits.
  const isLess = i32(load<i32>(a) < load<i32>(b));
  store<u64>(r, isLess);
}

/** Whether a number is not 0. */
export function isTrue(a: usize): i32 {
  if ((flagsOf(a) & LONG) == 0) return i32(load<i32>(a) != 0);
  return i32((load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24) | load<u64>(a, 32)) != 0);
}

/** The word of flags of a sum or difference; 0 if an operand has to be converted. */
// @ts-ignore: decorator
@inline
function wordOfSum(flags: u32, others: u32): u32 {
  if ((flags & others & MONTGOMERY) != 0) return LONG_MONTGOMERY_WORD;
  return (flags & others & LONG) != 0 && ((flags | others) & MONTGOMERY) == 0 ? LONG_NORMAL_WORD : 0;
}
