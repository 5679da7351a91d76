import { readFile } from 'node:fs/promises';
import { type CurveExports, type GroupExports, groupExports } from '../../../sdk/cpu/exports.js';
import { KernelMemory } from '../../../sdk/cpu/memory.js';
import { bn254, type GroupId, pointBytes, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { bigintToBytes } from '../../../sdk/field/bytes.js';

/** Bits of a scalar that one table entry stands for. */
const WINDOW_BITS = 8;
const WINDOWS = Math.ceil(bn254.fr.bits / WINDOW_BITS);
const DIGITS = 2 ** WINDOW_BITS - 1;

/**
 * Multiples of BN254's generators, many: a table of d 2^(8 w) G for each window w and digit d, then one addition a window.
 * Runs the shipped kernels; about 25 us a multiple in G1.
 */
export class Multiples {
  private constructor(
    private readonly exports: WebAssembly.Exports,
    private readonly memory: KernelMemory,
    private readonly tables: Readonly<Record<GroupId, number>>,
  ) {}

  /** @param wasm where the module of BN254 lies. */
  static async create(wasm: URL): Promise<Multiples> {
    const { instance } = await WebAssembly.instantiate(await readFile(wasm), {});
    const exports = instance.exports as unknown as CurveExports;
    const memory = new KernelMemory(exports.memory, exports.heapBase());
    const group = (id: GroupId): GroupExports => groupExports(instance.exports, id)!;
    return new Multiples(instance.exports, memory, {
      g1: makeTable('g1', group('g1'), memory),
      g2: makeTable('g2', group('g2'), memory),
    });
  }

  /** Scalar times generator for each of the scalars: affine, canonical. A scalar of 0 gives infinity, all zero. */
  of(id: GroupId, scalars: readonly bigint[]): Uint8Array {
    const group = groupExports(this.exports, id)!;
    const bytes = pointBytes('bn254', id);
    const [sum, list, target] = [group.sumSize(), 4 * WINDOWS, bytes].map((size) => this.memory.allocate(size));
    const points = new Uint8Array(scalars.length * bytes);
    for (const [i, scalar] of scalars.entries()) {
      const entries = tableEntries(scalar);
      this.memory.write(list!, new Uint8Array(entries.buffer));
      group.setIdentity(sum!);
      group.addListed(sum!, this.tables[id], list!, 0, entries.length);
      group.storeAffine(target!, sum!);
      points.set(this.memory.read(target!, bytes), i * bytes);
    }
    for (const at of [sum, list, target]) this.memory.release(at!);
    return points;
  }
}

/** Where the digits of a scalar, other than zero, stand in the table. */
function tableEntries(scalar: bigint): Uint32Array {
  const entries: number[] = [];
  for (const [window, digit] of bigintToBytes(scalar, SCALAR_BYTES).entries()) {
    if (digit !== 0) entries.push(window * DIGITS + digit - 1);
  }
  return Uint32Array.from(entries);
}

function makeTable(id: GroupId, group: GroupExports, memory: KernelMemory): number {
  const bytes = pointBytes('bn254', id);
  const count = WINDOWS * DIGITS;
  const [generator, scalar, indices] = [bytes, SCALAR_BYTES, 4 * count].map((size) => memory.allocate(size));
  const [points, prepared] = [memory.allocate(count * bytes), memory.allocate(count * bytes)];
  memory.write(generator!, generatorBytes(id));
  for (let i = 0; i < count; i++) {
    const digit = BigInt((i % DIGITS) + 1) << BigInt(WINDOW_BITS * Math.floor(i / DIGITS));
    memory.write(scalar!, bigintToBytes(digit % bn254.fr.modulus, SCALAR_BYTES));
    group.combine(generator!, scalar!, 1, points + i * bytes);
  }
  group.prepare(points, count, 0, prepared, indices!);
  const table = memory.allocate(count * group.baseSize());
  group.loadBases(prepared, count, table);
  for (const at of [generator, scalar, indices, points, prepared]) memory.release(at!);
  return table;
}

export function generatorBytes(id: GroupId): Uint8Array {
  const coordinates = id === 'g1' ? bn254.g1.generator : bn254.g2!.generator.flat();
  return new Uint8Array(coordinates.flatMap((value) => [...bigintToBytes(value, bn254.coordinateBytes)]));
}
