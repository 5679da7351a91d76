import { throwIfAborted } from '../../base/abort.js';
import { newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { reverseCoordinates } from '../../curves/point-bytes.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type CeremonyWork, CHUNK_POINTS } from '../ceremony-work.js';
import { toMontgomery } from '../contributions.js';
import { addPoints } from '../ratio-check.js';
import type { Coefficients } from './coefficients.js';
import type { MatrixColumns } from './constraint-matrices.js';

/** Terms and sums of a job, at most: some 20 ms of work, and enough for additions to share inversions. */
const JOB_TERMS = 1 << 12;
const JOB_SUMS = 1 << 11;

/** Sums of points as a .zkey has them, and as they are hashed: canonical and big-endian, c1 before c0. */
interface WrittenSums {
  readonly points: Uint8Array<ArrayBuffer>;
  readonly hashed: Uint8Array;
}

/** A matrix whose columns are multiplied by points, one for each row. */
export interface Product {
  readonly columns: MatrixColumns;
  readonly table: PointTable;
}

interface ColumnSums {
  readonly curve: CurveId;
  readonly group: GroupId;
  /** The sum of a wire is over all of them. */
  readonly products: readonly Product[];
  readonly coefficients: Coefficients;
  /** The curve's compiled module of square roots. */
  readonly module: WebAssembly.Module;
}

/** A run of wires with their entries; or a single wire with a part of its entries, counted over all products. */
interface Job {
  readonly from: number;
  readonly to: number;
  readonly part?: { readonly from: number; readonly to: number };
}

/**
 * For each wire the sum of its entries times the points of their rows, chunk by chunk in order; infinity is all zero.
 * The workers compute a chunk while the one before it is used.
 *
 * @param onProgress called with the number of entries that were added since the last call.
 */
export async function* columnSums(
  work: CeremonyWork,
  sums: ColumnSums,
  from: number,
  to: number,
  onProgress: (entries: number) => void,
): AsyncGenerator<WrittenSums> {
  const chunkAt = (begin: number): Promise<WrittenSums> | undefined => {
    if (begin >= to) return undefined;
    const chunk = sumChunk(work, sums, begin, Math.min(to, begin + CHUNK_POINTS), onProgress);
    // It is awaited when the one before it has been used.
    chunk.catch(() => undefined);
    return chunk;
  };
  let next = chunkAt(from);
  try {
    for (let begin = from; begin < to; begin += CHUNK_POINTS) {
      const chunk = await next!;
      next = chunkAt(begin + CHUNK_POINTS);
      yield chunk;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

async function sumChunk(
  work: CeremonyWork,
  sums: ColumnSums,
  from: number,
  to: number,
  onProgress: (entries: number) => void,
): Promise<WrittenSums> {
  const { pool, signal } = work;
  const { curve, group, module } = sums;
  const size = pointBytes(curve, group);
  const points = newBytes((to - from) * size);
  const hashed = newBytes((to - from) * size);
  const partial = new Map<number, Uint8Array[]>();
  const jobs = jobsOf(sums.products, from, to);
  await eachSlice(
    pool,
    jobs.length,
    1,
    async (number) => {
      throwIfAborted(signal);
      const job = jobs[number]!;
      const result = await retryOnDeadWorker(() => {
        const args = { group, ...gather(sums, job), module };
        return pool.call(curve, 'linearCombinations', args, { signal, moved: true });
      });
      onProgress(entriesOf(sums.products, job));
      const half = result.length / 2;
      if (job.part === undefined) {
        points.set(result.subarray(0, half), (job.from - from) * size);
        hashed.set(result.subarray(half), (job.from - from) * size);
      } else {
        const point = result.slice(half);
        reverseCoordinates(point, size);
        partial.set(job.from, [...(partial.get(job.from) ?? []), point]);
      }
      freeMemory(result);
    },
    { signal },
  );
  for (const [wire, parts] of partial) {
    const sum = await addPoints({ pool, signal }, curve, group, parts);
    points.set(toMontgomery(CURVES[curve], sum), (wire - from) * size);
    reverseCoordinates(sum, size);
    hashed.set(sum, (wire - from) * size);
  }
  return { points, hashed };
}

/** Divides wires into jobs of about equal work. */
function jobsOf(products: readonly Product[], from: number, to: number): Job[] {
  const jobs: Job[] = [];
  let [begin, terms] = [from, 0];
  const close = (end: number): void => {
    if (begin < end) jobs.push({ from: begin, to: end });
    [begin, terms] = [end, 0];
  };
  for (let wire = from; wire < to; wire++) {
    const entries = entriesOf(products, { from: wire, to: wire + 1 });
    if (terms + entries > JOB_TERMS || wire - begin >= JOB_SUMS) close(wire);
    terms += entries;
    if (entries <= JOB_TERMS) continue;
    for (let at = 0; at < entries; at += JOB_TERMS) {
      jobs.push({ from: wire, to: wire + 1, part: { from: at, to: Math.min(entries, at + JOB_TERMS) } });
    }
    [begin, terms] = [wire + 1, 0];
  }
  close(to);
  return jobs;
}

function entriesOf(products: readonly Product[], { from, to, part }: Job): number {
  if (part !== undefined) return part.to - part.from;
  return products.reduce((sum, { columns: { offsets } }) => sum + offsets[to]! - offsets[from]!, 0);
}

/** The terms of a job, as the kernels take them. Points at infinity are left out. */
function gather({ products, coefficients }: ColumnSums, job: Job) {
  const room = entriesOf(products, job);
  const { pointWords } = products[0]!.table;
  const words = new Uint32Array(room * pointWords);
  const factors = newBytes(room);
  const scalars: number[] = [];
  const offsets = new Uint32Array(job.to - job.from + 1);
  let terms = 0;
  for (let wire = job.from; wire < job.to; wire++) {
    let skipped = job.part?.from ?? 0;
    let left = job.part === undefined ? room : job.part.to - job.part.from;
    for (const { columns, table } of products) {
      const [begin, end] = [columns.offsets[wire]!, columns.offsets[wire + 1]!];
      const first = Math.min(end, begin + skipped);
      skipped -= first - begin;
      const last = Math.min(end, first + left);
      left -= last - first;
      for (let entry = first; entry < last; entry++) {
        const row = columns.rows[entry]!;
        const place = table.places === undefined ? row : table.places[row]!;
        if (place < 0) continue;
        const source = place * pointWords;
        const target = terms * pointWords;
        for (let i = 0; i < pointWords; i++) words[target + i] = table.words[source + i]!;
        const coefficient = columns.coefficients[entry]!;
        factors[terms] = coefficients.factorOf(coefficient);
        if (factors[terms] === FACTOR.scalar) scalars.push(coefficient);
        terms++;
      }
    }
    offsets[wire - job.from + 1] = terms;
  }
  const scalarBytes = newBytes(scalars.length * SCALAR_BYTES);
  for (const [i, number] of scalars.entries()) scalarBytes.set(coefficients.bytes(number), i * SCALAR_BYTES);
  const all = terms === room;
  return {
    points: new Uint8Array(all ? words.buffer : words.slice(0, terms * pointWords).buffer),
    factors: all ? factors : factors.slice(0, terms),
    scalars: scalarBytes,
    offsets,
  };
}

/** Checked points of a .ptau in memory, as the kernels take them. */
export interface PointTable {
  readonly group: GroupId;
  /** `pointWords` words for each finite point. */
  readonly words: Uint32Array;
  readonly pointWords: number;
  /** The place of each point among them, -1 for infinity; undefined if all are finite. */
  readonly places: Int32Array | undefined;
}

/**
 * Reads the first `count` points of a vector. `INVALID_POINT` for one that is not on its curve or not in the subgroup
 * of prime order.
 */
export async function loadTable(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  { group, bytes }: KeyVector,
  count: number,
  what: string,
): Promise<PointTable> {
  const request = { curve, group, encoding: 'montgomery', count, points: bytes } as const;
  const { points, indices } = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
  const words = new Uint32Array(points.buffer, points.byteOffset, points.length / 4);
  const places = indices && new Int32Array(count).fill(-1);
  if (places !== undefined) for (const [place, index] of indices!.entries()) places[index] = place;
  return { group, words, pointWords: preparedPointBytes(curve, group) / 4, places };
}
