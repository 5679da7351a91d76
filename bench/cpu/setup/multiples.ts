import { bigintToBytes } from '../../../sdk/base/bytes.js';
import { G2_GENERATORS } from '../../../sdk/curves/g2-generators.js';
import { bn254, type GroupId, pointBytes, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { type GroupExports, readPoints } from '../../../sdk/executors/workers/kernel/exports.js';
import { KernelMemory } from '../../../sdk/executors/workers/kernel/memory.js';

/** Bits of a scalar that one table entry stands for. */
const WINDOW_BITS = 8;
const WINDOWS = Math.ceil(bn254.fr.bits / WINDOW_BITS);
const DIGITS = 2 ** WINDOW_BITS - 1;

/**
 * Computes many multiples of BN254's generators with the shipped kernels. A table holds d 2^(8 w) G for each window w
 * and digit d; a scalar's multiple is the sum of the entries for its digits. In G1 a multiple takes about 25 us.
 */
export class Multiples {
  private constructor(
    private readonly groups: Readonly<Record<GroupId, GroupExports | undefined>>,
    private readonly memory: KernelMemory,
    private readonly tables: Readonly<Record<GroupId, Uint8Array>>,
  ) {}

  /** @param wasm BN254's points module. */
  static async create(wasm: BufferSource): Promise<Multiples> {
    const { instance } = await WebAssembly.instantiate(wasm, {});
    const { core, groups } = readPoints(instance.exports);
    const memory = new KernelMemory(core.memory, core.heapBase());
    const table = (id: GroupId): Uint8Array => makeTable(id, groups[id]!, memory);
    return new Multiples(groups, memory, { g1: table('g1'), g2: table('g2') });
  }

  /** Scalar times generator for each of the scalars, 0 <= scalar < r: points in boundary form. */
  of(id: GroupId, scalars: readonly bigint[]): Uint8Array {
    const group = this.groups[id]!;
    const bytes = pointBytes('bn254', id);
    const [terms, target] = [WINDOWS * bytes, bytes].map((size) => this.memory.allocate(size));
    const table = this.tables[id];
    const points = new Uint8Array(scalars.length * bytes);
    for (const [i, scalar] of scalars.entries()) {
      const entries = tableEntries(scalar);
      for (const [k, entry] of entries.entries()) {
        this.memory.write(terms! + k * bytes, table.subarray(entry * bytes, (entry + 1) * bytes));
      }
      group.combine(terms!, 0, entries.length, target!);
      points.set(this.memory.read(target!, bytes), i * bytes);
    }
    for (const at of [terms, target]) this.memory.release(at!);
    return points;
  }
}

/** The indices of a scalar's digits in the table; digits that are 0 have none. */
function tableEntries(scalar: bigint): number[] {
  return [...bigintToBytes(scalar, SCALAR_BYTES).entries()].flatMap(([window, digit]) =>
    digit === 0 ? [] : [window * DIGITS + digit - 1],
  );
}

/**
 * Each entry is the sum of the one before it and of the window's first, d 2^(8 w) G = (d - 1) 2^(8 w) G + 2^(8 w) G.
 */
function makeTable(id: GroupId, group: GroupExports, memory: KernelMemory): Uint8Array {
  const bytes = pointBytes('bn254', id);
  const count = WINDOWS * DIGITS;
  const [terms, points] = [2 * bytes, (count + 1) * bytes].map((size) => memory.allocate(size));
  memory.write(points!, generatorBytes(id));
  for (let i = 1; i <= count; i++) {
    // The entry behind the last digit of a window is the first of the next one: 2^8 times this one's.
    const first = Math.floor((i - 1) / DIGITS) * DIGITS;
    memory.write(terms!, memory.read(points! + (i - 1) * bytes, bytes));
    memory.write(terms! + bytes, memory.read(points! + first * bytes, bytes));
    group.combine(terms!, 0, 2, points! + i * bytes);
  }
  const table = memory.read(points!, count * bytes);
  for (const at of [terms, points]) memory.release(at!);
  return table;
}

function generatorBytes(id: GroupId): Uint8Array {
  const coordinates = id === 'g1' ? bn254.g1.generator : G2_GENERATORS.bn254!.flat();
  return new Uint8Array(coordinates.flatMap((value) => [...bigintToBytes(value, bn254.coordinateBytes)]));
}
