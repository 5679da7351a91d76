import { describe, expect, it } from 'vitest';
import { withMergedCopies } from '../../../../sdk/files/witness/exchange/merged-copies.js';

const [COPY, COPIES] = [300, 7];

/** An i32.const. */
const constant = (value: number): number[] =>
  value < 64 ? [0x41, value] : [0x41, (value & 0x7f) | 0x80, (value >> 7) & 0x7f];

/** A copy of the constant at `address` to a variable. */
const copy = (variable: number, address: number, { local = 5, called = [0xac, 2], bytes = 40 } = {}): number[] => [
  ...constant(variable),
  ...constant(bytes),
  ...[0x6c, 0x20, local, 0x6a],
  ...constant(address),
  ...[0x10, ...called],
];

/** One call for `count` of them. */
const copies = (variable: number, address: number, count: number): number[] => [
  ...constant(variable),
  ...constant(40),
  ...[0x6c, 0x20, 5, 0x6a],
  ...constant(address),
  ...constant(count),
  ...[0x10, COPIES],
];

/** A function without local variables, and its end. */
const code = (...instructions: number[][]): Uint8Array => Uint8Array.from([0, ...instructions.flat(), 0x0b]);

const merged = (...instructions: number[][]): number[] | undefined => {
  const made = withMergedCopies(code(...instructions), COPY, COPIES);
  return made === undefined ? undefined : [...made];
};

describe('withMergedCopies', () => {
  it('merges copies of neighbours to neighbours', () => {
    const nop = [0x01];
    expect(merged(nop, copy(0, 4000), copy(1, 4040), copy(2, 4080), nop)).toEqual([
      ...code(nop, copies(0, 4000, 3), nop),
    ]);
    // The next constant is elsewhere; then the first one again.
    expect(merged(copy(3, 4000), copy(4, 4040), copy(5, 1000), copy(6, 4080), copy(7, 4120))).toEqual([
      ...code(copies(3, 4000, 2), copy(5, 1000), copies(6, 4080, 2)),
    ]);
    // A number before them that is none of their operands.
    expect(merged(constant(9), copy(0, 4000), copy(1, 4040), [0x1a])).toEqual([
      ...code(constant(9), copies(0, 4000, 2), [0x1a]),
    ]);
  });

  it('leaves all others', () => {
    const others = [
      [copy(0, 4000)],
      [copy(0, 4000), copy(2, 4040)],
      [copy(0, 4000), copy(1, 4041)],
      [copy(0, 4000), copy(1, 4040, { local: 6 })],
      [copy(0, 4000), [0x01], copy(1, 4040)],
      [copy(0, 4000, { called: [9] }), copy(1, 4040, { called: [9] })],
      [copy(0, 4000, { bytes: 41 }), copy(1, 4040, { bytes: 41 })],
      [],
    ];
    for (const each of others) expect(merged(...each)).toBeUndefined();
  });

  it('does not read what it does not know', () => {
    expect(() => withMergedCopies(code(copy(0, 4000), [0xfc, 8, 0, 0]), COPY, COPIES)).toThrow('an instruction 252');
  });
});
