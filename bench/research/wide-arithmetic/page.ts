/**
 * Functions that run in the page. Each is sent there as source text, so it must not use anything that is declared
 * outside of it.
 */

/** A module with the functions of `contenders.ts` or `module.ts`. */
export interface PageModule {
  readonly base64: string;
  /** Field elements that a call multiplies. */
  readonly elements: 1 | 2;
  /** Bytes of an element as the page writes and reads it. */
  readonly bytes: number;
  /**
   * Limbs in words of 64 bits, and the address from which memory is free, for modules that work on those; others are
   * given packed elements by `put` and `get`.
   */
  readonly limbs?: { readonly count: number; readonly bits: number; readonly from: number };
}

export interface PageRequest {
  readonly modules: readonly PageModule[];
  /** Factors, as decimal numbers. */
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** Each module is timed so many times, in turns, for so many milliseconds. */
  readonly turns: number;
  readonly turnMs: number;
}

export const OPERATIONS = ['products', 'squares', 'chain', 'squareChain', 'additions'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Of a module: its results, of additions where it exports them, and the nanoseconds of an operation on one element in each turn. */
export interface PageResult {
  readonly products: readonly string[];
  readonly squares: readonly string[];
  readonly additions: readonly string[];
  readonly times: Readonly<Record<Operation, readonly number[]>>;
}

/** Whether the page's engine has wide arithmetic: it validates (module (func (drop (drop (i64.mul_wide_u 0 0))))). */
export function hasWideArithmetic(): boolean {
  const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0];
  return WebAssembly.validate(new Uint8Array([...header, 10, 12, 1, 10, 0, 66, 0, 66, 0, 252, 22, 26, 26, 11]));
}

/**
 * Computes a_i b_i, a_i^2 and the additions of `contenders.ts` with every module, and times them; products and squares
 * also in chains, in which each takes the result of the last.
 */
export async function multiplyInPage(request: PageRequest): Promise<PageResult[]> {
  type Exports = Record<string, (...args: number[]) => number> & { readonly memory: WebAssembly.Memory };
  const WARM_UP_MS = 200;
  const count = request.a.length;
  const operations = ['products', 'squares', 'chain', 'squareChain', 'additions'] as const;
  const write = (memory: WebAssembly.Memory, at: number, value: bigint, words: number, bits: number) => {
    const view = new DataView(memory.buffer);
    for (let i = 0; i < words; i++) {
      view.setBigUint64(at + 8 * i, BigInt.asUintN(bits, value >> BigInt(i * bits)), true);
    }
  };
  const read = (memory: WebAssembly.Memory, at: number, words: number, bits: number) => {
    const view = new DataView(memory.buffer);
    let value = 0n;
    for (let i = words - 1; i >= 0; i--) value = (value << BigInt(bits)) + view.getBigUint64(at + 8 * i, true);
    return value;
  };
  const open = async ({ base64, elements, bytes, limbs }: PageModule) => {
    const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const wasm = (await WebAssembly.instantiate(binary)).instance.exports as unknown as Exports;
    const size = limbs === undefined ? wasm.size!() : bytes;
    const start = limbs === undefined ? Math.ceil(wasm.heapBase!() / 16) * 16 : limbs.from;
    const calls = count / elements;
    const [r, a, b, scratch] = [0, 1, 2, 3].map((k) => start + k * calls * size) as [number, number, number, number];
    const staged = scratch + 6 * size;
    wasm.memory.grow(Math.ceil((staged + 2 * bytes) / 65536));
    const put = (at: number, values: readonly string[]) => {
      for (let i = 0; i < values.length; i += elements) {
        const place = at + (i / elements) * size;
        if (limbs !== undefined) write(wasm.memory, place, BigInt(values[i]!), limbs.count, limbs.bits);
        else {
          for (let l = 0; l < elements; l++)
            write(wasm.memory, staged + l * bytes, BigInt(values[i + l]!), bytes / 8, 64);
          wasm.put!(place, staged, staged + bytes);
        }
      }
    };
    const results = () =>
      request.a.map((_, i) => {
        const place = r + Math.floor(i / elements) * size;
        if (limbs !== undefined) return String(read(wasm.memory, place, limbs.count, limbs.bits));
        if (i % elements === 0) wasm.get!(staged, staged + bytes, place);
        return String(read(wasm.memory, staged + (i % elements) * bytes, bytes / 8, 64));
      });
    put(a, request.a);
    put(b, request.b);
    const end = r + calls * size;
    const run = {
      products: () => wasm.products!(r, a, b, end),
      squares: () => wasm.squares!(r, a, end),
      chain: () => wasm.chain!(r, b, calls),
      squareChain: () => wasm.squareChain!(r, calls),
      additions: () => wasm.additions!(r, a, b, end, scratch),
    };
    run.products();
    const products = results();
    run.squares();
    const squares = results();
    // The running products start with the first of a.
    for (const k of [0, 1]) put(scratch + k * size, request.a.slice(0, elements));
    if (wasm.additions !== undefined) run.additions();
    const additions = wasm.additions === undefined ? [] : results();
    const times = Object.fromEntries(operations.map((name) => [name, []])) as unknown as Record<Operation, number[]>;
    return { run, products, squares, additions, times };
  };
  /** Runs for some milliseconds at least. Gives the nanoseconds of an element. */
  const time = (run: () => void, milliseconds: number) => {
    const began = performance.now();
    let rounds = 0;
    let now = began;
    for (; now - began < milliseconds; now = performance.now()) {
      for (let i = 0; i < 8; i++) run();
      rounds += 8;
    }
    return (1e6 * (now - began)) / (rounds * count);
  };
  const opened = await Promise.all(request.modules.map(open));
  const can = ({ additions }: (typeof opened)[number], name: Operation) => name !== 'additions' || additions.length > 0;
  for (const module of request.turns > 0 ? opened : []) {
    for (const name of operations) if (can(module, name)) time(module.run[name], WARM_UP_MS);
  }
  for (let turn = 0; turn < request.turns; turn++) {
    for (const name of operations) {
      for (const module of opened) {
        if (can(module, name)) module.times[name].push(time(module.run[name], request.turnMs));
      }
    }
  }
  return opened.map(({ products, squares, additions, times }) => ({ products, squares, additions, times }));
}
