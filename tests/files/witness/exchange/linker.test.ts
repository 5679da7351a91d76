import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../../sdk/base/bytes.js';
import { Linker } from '../../../../sdk/files/witness/exchange/linker.js';
import type { ModuleFunctions } from '../../../../sdk/files/witness/exchange/module-functions.js';
import { encodeU32 } from '../../../../sdk/files/witness/module-reader.js';

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

/** A signed number in LEB128. */
const signed = (value: bigint): number[] =>
  value >= -64n && value < 64n ? [Number(value & 0x7fn)] : [Number(value & 0x7fn) | 0x80, ...signed(value >> 7n)];

/** One call for as many of them as `kinds` has letters: `r` for the run that begins at `address`, `f` for the fixed one. */
const copies = (variable: number, address: number, kinds: string, fixed = 0): number[] => [
  ...constant(variable),
  ...constant(40),
  ...[0x6c, 0x20, 5, 0x6a],
  ...constant(address),
  ...constant(fixed),
  0x42,
  ...signed(
    BigInt.asIntN(
      64,
      [...kinds, 'f'].reduce((bits, kind, k) => bits | (BigInt(kind === 'f') << BigInt(k)), 0n),
    ),
  ),
  ...[0x10, COPIES],
];

/** A function without local variables, and its end. */
const code = (...instructions: number[][]): Uint8Array => Uint8Array.from([0, ...instructions.flat(), 0x0b]);

/** A module that defines functions of this code, which lies in one buffer as in a module, and imports others. */
function moduleOf(codes: readonly Uint8Array[], imported = 0): ModuleFunctions {
  const bytes = joinBytes(codes);
  let at = 0;
  const defined = codes.map(({ length }) => {
    at += length;
    return { type: 0, code: bytes.subarray(at - length, at) };
  });
  return { sections: [], types: [], imported, importedNames: [], defined };
}

/** undefined if the code stays as it is. */
const merged = (...instructions: number[][]): number[] | undefined => {
  const before = code(...instructions);
  const after = new Linker(moduleOf([before])).mergeCopies(0, COPY, COPIES)!;
  return Buffer.compare(before, after) === 0 ? undefined : [...after];
};

describe('Linker.mergeCopies', () => {
  it('merges copies of neighbours to neighbours', () => {
    const nop = [0x01];
    expect(merged(nop, copy(0, 4000), copy(1, 4040), copy(2, 4080), nop)).toEqual([
      ...code(nop, copies(0, 4000, 'rrr'), nop),
    ]);
    // A number before them that is none of their operands.
    expect(merged(constant(9), copy(0, 4000), copy(1, 4040), [0x1a])).toEqual([
      ...code(constant(9), copies(0, 4000, 'rr'), [0x1a]),
    ]);
  });

  it('merges copies of one constant between those of neighbours', () => {
    expect(merged(copy(3, 4000), copy(4, 4040), copy(5, 1000), copy(6, 4080), copy(7, 1000))).toEqual([
      ...code(copies(3, 4000, 'rrfrf', 1000)),
    ]);
    // A second one; and one at address 0.
    expect(merged(copy(0, 4000), copy(1, 1000), copy(2, 2000), copy(3, 2040))).toEqual([
      ...code(copies(0, 4000, 'rf', 1000), copies(2, 2000, 'rr')),
    ]);
    expect(merged(copy(0, 4000), copy(1, 0), copy(2, 1000), copy(3, 1000))).toEqual([
      ...code(copies(0, 4000, 'rf'), copies(2, 1000, 'rf', 1000)),
    ]);
  });

  it('merges up to 63 copies', () => {
    const run = (from: number, count: number): number[][] =>
      Array.from({ length: count }, (_, i) => copy(from + i, 40 * (from + i)));
    expect(merged(...run(0, 63))).toEqual([...code(copies(0, 0, 'r'.repeat(63)))]);
    expect(merged(...run(0, 64))).toEqual([...code(copies(0, 0, 'r'.repeat(63)), copy(63, 40 * 63))]);
    expect(merged(...Array.from({ length: 65 }, (_, i) => copy(i, 5000)))).toEqual([
      ...code(copies(0, 5000, `r${'f'.repeat(62)}`, 5000), copies(63, 5000, 'rf', 5000)),
    ]);
  });

  it('leaves all others', () => {
    const others = [
      [copy(0, 4000)],
      [copy(0, 4000), copy(2, 4040)],
      [copy(0, 4000), copy(2, 4000)],
      [copy(0, 4000), copy(1, 4040, { local: 6 })],
      [copy(0, 4000), [0x01], copy(1, 4040)],
      [copy(0, 4000, { called: [9] }), copy(1, 4040, { called: [9] })],
      [copy(0, 4000, { bytes: 41 }), copy(1, 4040, { bytes: 41 })],
      [],
    ];
    for (const each of others) expect(merged(...each)).toBeUndefined();
  });

  it('leaves the functions beside it', () => {
    const codes = [
      code(copy(0, 4000)),
      code(copy(1, 4040), copy(2, 4080)),
      code([0x01]),
      code(copy(3, 0), copy(4, 40)),
    ];
    const linker = new Linker(moduleOf(codes));
    const changed = codes.map((_, place) => linker.mergeCopies(place, COPY, COPIES)!);
    expect(changed.map((each) => [...each])).toEqual([
      [...codes[0]!],
      [...code(copies(1, 4040, 'rr'))],
      [...codes[2]!],
      [...code(copies(3, 0, 'rr'))],
    ]);
  });

  it('does not read what it does not know, nor code that is cut off', () => {
    const read = (bytes: Uint8Array): unknown => new Linker(moduleOf([bytes])).mergeCopies(0, COPY, COPIES);
    expect(read(code(copy(0, 4000), copy(1, 4040), [0xfc, 8, 0, 0]))).toBeUndefined();
    expect(read(code([0x43, 0, 0, 0, 0]))).toBeUndefined();
    const whole = code(copy(0, 4000), copy(1, 4040), [0x0e, 2, 0, 1, 0], [0x42, 0x80, 0x80, 0x01], [0x28, 2, 8]);
    expect(read(whole)).toBeDefined();
    // Where an instruction ends, as many bytes are read as where the function does.
    const ends = Array.from({ length: whole.length }, (_, length) => read(whole.subarray(0, length)) !== undefined);
    expect(ends.filter((isRead) => isRead).length).toBeLessThan(25);
    expect(read(code([0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f]))).toBeUndefined();
    expect(read(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0x7f))).toBeUndefined();
  });
});

describe('Linker.relink', () => {
  it('replaces the indices of calls, and marks by constants', () => {
    const mark = (k: number): number[] => [0x42, 0x80 + k, 0x80, 0x80, 0x80, 0xe0, 0x9b, 0xf0, 0xf6, 0xde, 0];
    const own = code([0x10, 0], [0x10, 3], mark(0), mark(1), mark(2), [0x42, 0x7f]);
    const linker = new Linker(moduleOf([own, code([0x10, 2])], 2), [-1n, 2n ** 62n]);
    const indices = new Map([
      [0, 5],
      [3, 1000],
    ]);
    const highest = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xc0, 0];
    expect([...linker.relink(0, indices)]).toEqual([
      ...code([0x10, 5], [0x10, 0xe8, 7], [0x42, 0x7f], [0x42, ...highest], mark(2), [0x42, 0x7f]),
    ]);
    expect(() => linker.relink(1, indices)).toThrow('functions that cannot be linked');
  });
});

describe('Linker.fingerprint', () => {
  const nop = [0x01];
  const leaf = code(nop);
  const recursive = (own: number, called: number): Uint8Array =>
    code([0x10, ...encodeU32(called)], [0x10, ...encodeU32(own)]);

  it('is the same wherever the functions stand, and of all that is called', () => {
    const fingerprint = new Linker(moduleOf([recursive(0, 1), leaf])).fingerprint(0);
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(new Linker(moduleOf([leaf, nopTwice(), recursive(302, 300)], 300)).fingerprint(302)).toBe(fingerprint);
    expect(new Linker(moduleOf([recursive(0, 1), nopTwice()])).fingerprint(0)).not.toBe(fingerprint);
    expect(new Linker(moduleOf([recursive(0, 0), leaf])).fingerprint(0)).not.toBe(fingerprint);
  });

  it('is none of functions that call imported, unknown, long or unreadable ones', () => {
    expect(new Linker(moduleOf([recursive(1, 0)], 1)).fingerprint(1)).toBeUndefined();
    expect(new Linker(moduleOf([recursive(0, 1)])).fingerprint(0)).toBeUndefined();
    expect(new Linker(moduleOf([recursive(0, 1), code([0xfc, 8, 0, 0])])).fingerprint(0)).toBeUndefined();
    const long = code(new Array(2 ** 13).fill(1));
    expect(new Linker(moduleOf([recursive(0, 1), long])).fingerprint(0)).toBeUndefined();
  });

  function nopTwice(): Uint8Array {
    return code(nop, nop);
  }
});
