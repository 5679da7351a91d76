import { Code, unsigned } from './code.js';
import { type ProductForm, writeDifference, writeProduct, writeSquare } from './products.js';

/** A module's functions, which all take addresses or counts (i32) and return nothing, by their index. */
const FUNCTIONS = ['mul', 'sqr', 'products', 'squares', 'chain', 'squareChain', 'sub', 'additions'] as const;
const PARAMETERS = [3, 2, 4, 3, 3, 2, 3, 5];
const [MUL, SQR, SUB] = [0, 1, 6];
const PAGES = 4;
const I32 = 0x7f;

/**
 * A module with a product and a square of a form, and with loops over both as `contenders.ts` writes them in
 * AssemblyScript. It exports its memory.
 */
export function wideModule(form: ProductForm): Uint8Array<ArrayBuffer> {
  const mul = new Code(PARAMETERS[MUL]!);
  writeProduct(mul, form);
  const sqr = new Code(PARAMETERS[SQR]!);
  writeSquare(sqr, form);
  const sub = new Code(PARAMETERS[SUB]!);
  writeDifference(sub, form);
  const size = 8 * form.limbs;
  const bodies = [
    mul.finish(),
    sqr.finish(),
    // products(r, a, b, end) { do { mul(r, a, b); a += size; b += size; r += size } while (r < end) }
    loop([...call(MUL, 0, 1, 2), ...step(1, size), ...step(2, size), ...step(0, size), ...get(0), ...get(3), 0x49]),
    // squares(r, a, end), likewise
    loop([...call(SQR, 0, 1), ...step(1, size), ...step(0, size), ...get(0), ...get(2), 0x49]),
    // chain(r, b, count) { do { mul(r, r, b) } while (count -= 1) }
    loop([...call(MUL, 0, 0, 1), ...step(2, -1), ...get(2)]),
    // squareChain(r, count), likewise
    loop([...call(SQR, 0, 0), ...step(1, -1), ...get(1)]),
    sub.finish(),
    additions(size),
  ];
  const types = PARAMETERS.map((count) => [0x60, count, ...new Array<number>(count).fill(I32), 0]);
  // Differences are written by rows only.
  const exported = form.layout === 'rows' ? FUNCTIONS : FUNCTIONS.slice(0, SUB);
  const exports = exported.map((name, index) => [...text(name), 0, index]);
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      3,
      types.map((_, index) => [index]),
    ),
    ...section(5, [[0, PAGES]]),
    ...section(7, [[...text('memory'), 2, 0], ...exports]),
    ...section(10, bodies),
    ...section(11, [[0, 0x41, 0, 0x0b, 2 * size, ...littleEndian(form, 1n), ...littleEndian(form, 2n)]]),
  ]);
}

/** additions(r, a, b, end, scratch), which `contenders.ts` has in AssemblyScript. */
function additions(size: number): number[] {
  const [R, A, B, END, SCRATCH] = [0, 1, 2, 3, 4];
  const [forward, backward, t, inverse, x, slope] = [0, 1, 2, 3, 4, 5].map((k) => at(SCRATCH, k * size));
  const [r, a, b] = [R, A, B].map(get);
  const calls: [number, ...number[][]][] = [
    [SUB, t!, b!, a!],
    [MUL, forward!, forward!, t!],
    [MUL, inverse!, forward!, t!],
    [MUL, backward!, backward!, t!],
    [SUB, slope!, a!, b!],
    [MUL, slope!, slope!, inverse!],
    [SQR, x!, slope!],
    [SUB, x!, x!, a!],
    [SUB, x!, x!, b!],
    [SUB, t!, a!, x!],
    [MUL, t!, t!, slope!],
    [SUB, r!, t!, b!],
  ];
  const code = calls.flatMap(([index, ...operands]) => [...operands.flat(), 0x10, index]);
  return loop([...code, ...step(A, size), ...step(B, size), ...step(R, size), ...get(R), ...get(END), 0x49]);
}

/** Limbs of a multiple of p in words of 64 bits. */
function littleEndian({ modulus, limbs, limbBits }: ProductForm, factor: bigint): Uint8Array {
  const value = factor * modulus;
  const words = Array.from({ length: limbs }, (_, i) => BigInt.asUintN(limbBits, value >> BigInt(i * limbBits)));
  return new Uint8Array(new BigUint64Array(words).buffer);
}

/** A body without locals: code that repeats while the number that it leaves is not 0. */
function loop(code: readonly number[]): number[] {
  const body = [0, 0x03, 0x40, ...code, 0x0d, 0, 0x0b, 0x0b];
  return [...unsigned(body.length), ...body];
}

function get(local: number): number[] {
  return [0x20, local];
}

/** A local and a distance below 2^13. */
function at(local: number, distance: number): number[] {
  return [...get(local), 0x41, (distance & 127) | 128, distance >> 7, 0x6a];
}

function call(index: number, ...locals: number[]): number[] {
  return [...locals.flatMap(get), 0x10, index];
}

/** Adds -64 to 63 to a local. */
function step(local: number, by: number): number[] {
  return [...get(local), 0x41, by & 127, 0x6a, 0x21, local];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): number[] {
  return [name.length, ...new TextEncoder().encode(name)];
}
