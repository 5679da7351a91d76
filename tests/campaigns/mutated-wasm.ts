import { joinBytes } from '../../sdk/base/bytes.js';
import type { Random } from '../support/random.js';
import { flipped, pick } from './mutated-bytes.js';

/** A section of a module, with the bytes of its length as they stand. */
interface WasmSection {
  readonly id: number;
  readonly length: Uint8Array;
  readonly body: Uint8Array;
}

const HEADER_BYTES = 8;
const MEMORY = 5;
const CODE = 10;
const DATA = 11;

/** Runs of instructions that take and give values of the same types, so that one may stand for another. */
const ALIKE = [
  // Comparisons of i32 and of i64.
  [0x46, 0x4f],
  [0x51, 0x5a],
  // Arithmetic of i32 and of i64.
  [0x6a, 0x78],
  [0x7c, 0x8a],
] as const;

function sectionsOf(wasm: Uint8Array): WasmSection[] {
  const sections: WasmSection[] = [];
  for (let at = HEADER_BYTES; at < wasm.length; ) {
    const id = wasm[at]!;
    let end = at + 1;
    while (wasm[end]! >= 0x80) end++;
    const length = wasm.slice(at + 1, end + 1);
    const body = wasm.slice(end + 1, end + 1 + number(length));
    sections.push({ id, length, body });
    at = end + 1 + body.length;
  }
  return sections;
}

const number = (leb: Uint8Array): number => leb.reduceRight((value, byte) => value * 0x80 + (byte & 0x7f), 0);

function leb(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return new Uint8Array([...bytes, rest]);
}

/** Numbers in LEB128 that are too large, too long or without an end. */
const ODD_NUMBERS = [
  leb(0),
  leb(1),
  leb(2 ** 16),
  leb(2 ** 28),
  leb(2 ** 32 - 1),
  leb(2 ** 32),
  leb(2 ** 40),
  new Uint8Array([0x80, 0x80, 0x80, 0x80, 0x00]),
  new Uint8Array(5).fill(0x80),
  new Uint8Array(12).fill(0xff),
];

const withBody = (section: WasmSection, body: Uint8Array): WasmSection => ({
  ...section,
  length: leb(body.length),
  body,
});

/** Bytes put in, taken out or replaced. */
function edited(body: Uint8Array, random: Random): Uint8Array {
  const at = random.integer(body.length + 1);
  const skipped = random.integer(3) === 0 ? 0 : random.integer(8);
  const added =
    random.integer(3) === 0
      ? pick(random, ODD_NUMBERS)
      : new Uint8Array(random.integer(8)).map(() => random.integer(256));
  return joinBytes([body.subarray(0, at), added, body.subarray(at + skipped)]);
}

/**
 * Code in which one to four instructions are replaced by others of the same type: often a valid module that computes
 * something else.
 */
function recoded(body: Uint8Array, random: Random): Uint8Array {
  const copy = body.slice();
  for (let i = random.integer(4); i >= 0; i--) {
    let at = random.integer(copy.length);
    const alike = (): (typeof ALIKE)[number] | undefined =>
      ALIKE.find(([from, to]) => copy[at]! >= from && copy[at]! <= to);
    while (at < copy.length && alike() === undefined) at++;
    const [from, to] = alike() ?? [0, 0];
    if (at < copy.length) copy[at] = from + random.integer(to - from + 1);
  }
  return copy;
}

/** Sections of memories, with limits that are shared, of 64 bits, large or without an end. */
function memory(random: Random): Uint8Array {
  const flags = pick(random, [0, 0, 1, 1, 2, 3, 4, 5, 8, 0xff]);
  const [least, most] = [pick(random, ODD_NUMBERS), pick(random, ODD_NUMBERS)];
  return joinBytes([new Uint8Array([random.integer(8) === 0 ? 2 : 1, flags]), least, most]);
}

/**
 * A circuit's WebAssembly with one or two changes: of bytes, of sections, of memory limits or of the code of functions.
 */
export function mutatedWasm(wasm: Uint8Array, random: Random): Uint8Array {
  let sections = sectionsOf(wasm);
  const change = (id: number, by: (body: Uint8Array, random: Random) => Uint8Array): void => {
    sections = sections.map((each) => (each.id === id ? withBody(each, by(each.body, random)) : each));
  };
  for (let i = random.integer(2); i >= 0 && sections.length > 0; i--) {
    const at = random.integer(sections.length);
    const chosen = sections[at]!;
    switch (random.integer(13)) {
      case 0:
        sections = sections.toSpliced(at, 1);
        break;
      case 1:
        sections = sections.toSpliced(random.integer(sections.length), 0, chosen);
        break;
      case 2:
        sections = sections.with(at, { ...chosen, id: random.integer(16) });
        break;
      case 3:
        sections = sections.with(at, { ...chosen, length: pick(random, ODD_NUMBERS) });
        break;
      case 4:
        sections = sections.with(at, withBody(chosen, edited(chosen.body, random)));
        break;
      case 5:
        change(MEMORY, () => memory(random));
        break;
      case 6:
        return joinBytes([wasm.subarray(0, random.integer(wasm.length))]);
      case 7:
        change(CODE, flipped);
        break;
      case 8:
        change(DATA, flipped);
        break;
      default:
        change(CODE, recoded);
    }
  }
  const parts = sections.flatMap(({ id, length, body }) => [new Uint8Array([id]), length, body]);
  const changed = joinBytes([wasm.subarray(0, HEADER_BYTES), ...parts]);
  return random.integer(8) === 0 ? flipped(changed, random) : changed;
}
