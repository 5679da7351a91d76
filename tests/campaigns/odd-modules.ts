import type { Random } from '../support/random.js';
import { op } from '../support/tiny-circuit.js';

const u32 = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...u32(value >>> 7)]);
const text = (value: string): number[] => [...u32(value.length), ...new TextEncoder().encode(value)];

/** A section with a list of items, each of them bytes. */
function section(id: number, items: readonly (readonly number[])[]): Uint8Array {
  const count = u32(items.length);
  const size = items.reduce((sum, item) => sum + item.length, count.length);
  const head = [id, ...u32(size), ...count];
  const bytes = new Uint8Array(head.length + size - count.length);
  bytes.set(head);
  let at = head.length;
  for (const item of items) {
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}

const repeated = (count: number, item: (i: number) => number[]): number[][] =>
  Array.from({ length: count }, (_, i) => item(i));

/** The types of functions: nothing to nothing, and nothing to a number. */
const TYPES = section(1, [
  [0x60, 0, 0],
  [0x60, 0, 1, 0x7f],
]);
const FUNCTION = section(3, [[0]]);
const EMPTY = [2, 0, 0x0b];

/** What circom 1's modules export, and what circom 2's do: a module is taken for circom 1's if it has the first. */
const CIRCOM1 = ['getSignalOffset32', 'init', 'getFrLen', 'getPRawPrime', 'getNVars', 'setSignal', 'getWitnessBuffer'];
const CIRCOM2 = ['getVersion', 'getFieldNumLen32', 'getRawPrime', 'init', 'getWitnessSize', 'getWitness'];

const SIZES = [0, 1, 2, 100, 2000, 65_535, 65_536, 2 ** 32 - 1];
const NUMBERS = [0, 1, 7, 8, 40, 104, 65_536, -1, 0x7fffffff];

/**
 * Modules that are no circuit's: with odd imports, bombs of tables, data or functions, and functions of circom 1 that
 * lie.
 */
export function oddModule(random: Random): Uint8Array {
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
  const size = (): number[] => u32(pick(SIZES));
  const kinds: readonly (() => Uint8Array[])[] = [
    // Imports: a function, a table, a memory, a global, of known names and unknown ones.
    () => {
      const descriptions = [
        [0, 0],
        [1, 0x70, 0, ...size()],
        [2, 0, ...size()],
        [2, 1, ...size(), ...size()],
        [3, 0x7f, 0],
      ];
      const imports = repeated(1 + random.integer(4), () => [
        ...text(pick(['env', 'runtime', '', '__proto__', 'wasi'])),
        ...text(pick(['memory', 'error', 'exceptionHandler', 'toString', 'constructor', 'x'])),
        ...pick(descriptions),
      ]);
      return [TYPES, section(2, imports)];
    },
    () => [
      section(
        4,
        repeated(1 + random.integer(3), () => [0x70, 0, ...size()]),
      ),
    ],
    () => [
      section(5, [[0, ...size()]]),
      section(11, [[0, ...op.constant(pick(NUMBERS)), 0x0b, ...u32(100_000), ...new Array<number>(100_000).fill(1)]]),
    ],
    () => [
      section(5, [[0, 1]]),
      section(
        11,
        repeated(20_000, () => [0, ...op.constant(0), 0x0b, 1, 1]),
      ),
    ],
    () => {
      const count = pick([1000, 50_000, 200_000]);
      return [
        TYPES,
        section(
          3,
          repeated(count, () => [0]),
        ),
        section(
          10,
          repeated(count, () => EMPTY),
        ),
      ];
    },
    () => [
      TYPES,
      FUNCTION,
      section(
        7,
        repeated(20_000, (i) => [...text(`export${i}`), 0, 0]),
      ),
      section(10, [EMPTY]),
    ],
    // A function with as many locals as engines allow, and one with more.
    () => [TYPES, FUNCTION, section(10, [[...u32(6), 1, ...u32(pick([50_000, 50_001])), 0x7f, 0x0b]])],
    () => {
      const names = pick([CIRCOM1, CIRCOM2]);
      const bodies = names.map(() => {
        const code = [
          0,
          ...pick([[], op.unreachable, op.forever, [...op.constant(1000), ...op.grow, ...op.drop]]),
          ...op.constant(pick(NUMBERS)),
          0x0b,
        ];
        return [...u32(code.length), ...code];
      });
      const exported = names.map((name, i) => [...text(name), 0, i]);
      const memory = pick([0, 1, 2]);
      const imported = section(2, [[...text('env'), ...text('memory'), 2, 0, ...u32(2000)]]);
      return [
        TYPES,
        ...(memory === 1 ? [imported] : []),
        section(
          3,
          names.map(() => [1]),
        ),
        ...(memory === 2 ? [section(5, [[0, 1]])] : []),
        section(7, memory === 2 ? [...exported, [...text('memory'), 2, 0]] : exported),
        section(10, bodies),
      ];
    },
  ];
  return new Uint8Array(Buffer.concat([new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), ...pick(kinds)()]));
}
