import { bytesToBigint, writeBigint } from '../base/bytes.js';
import { freeMemory } from '../base/free-memory.js';
import { ownMembers } from '../base/records.js';
import { CURVES, pointBytes } from '../curves/index.js';
import { inverse } from '../curves/modular.js';
import { decodePoint } from '../curves/point-bytes.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import { SLICE_BYTES } from '../files/byte-source.js';
import { type ExceptionalPoint, type PreparedBases, pointForm, preparedPointBytes } from './prepared.js';

/** Prepared bases as the cache keeps them: facts that are stored as JSON, and named arrays of bytes. */
export interface PreparedRecord {
  readonly facts: PreparedFacts;
  readonly arrays: Readonly<Record<string, Uint8Array>>;
}

export interface PreparedFacts {
  readonly kept: number;
  /** Indices of the exceptional points, ascending. */
  readonly exceptional: readonly number[];
}

/** Makes a record of prepared bases; the names of its arrays begin with `name`. */
export function preparedToRecord(name: string, bases: PreparedBases): PreparedRecord {
  const { kept, indices, exceptional, points } = bases;
  const arrays: Record<string, Uint8Array> = { [`${name}.points`]: points };
  if (indices !== undefined) {
    arrays[`${name}.indices`] = new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength);
  }
  return { facts: { kept, exceptional: exceptional.map(({ index }) => index) }, arrays };
}

/**
 * Makes prepared bases of a record, or says in a few words why the record does not fit the points of the request. It
 * reads the file to check that the record drops exactly the points at infinity, and takes the exceptional points from
 * there. The prepared points themselves are not checked, because that would cost as much as preparing them.
 *
 * @param facts the facts of the record; any JSON, since the record may be damaged.
 */
export async function preparedFromRecord(
  name: string,
  facts: unknown,
  arrays: Readonly<Record<string, Uint8Array>>,
  request: PrepareRequest,
): Promise<PreparedBases | string> {
  const { curve, group, count } = request;
  if (!isFacts(facts)) return `the facts of ${name} have another shape`;
  const { kept } = facts;
  const points = arrays[`${name}.points`];
  if (kept > count || points?.length !== kept * preparedPointBytes(curve, group)) {
    return `${name} has another number of points`;
  }
  const form = pointForm(curve, group);
  if (form === 'weierstrass' && facts.exceptional.length > 0) return `${name} has exceptional points on ${curve}`;
  const indexBytes = arrays[`${name}.indices`];
  if (indexBytes === undefined) {
    if (kept !== count || facts.exceptional.length > 0) return `${name} lacks the indices of its points`;
    return { curve, group, form, count, kept, points, indices: undefined, exceptional: [], fromCache: true };
  }
  if (kept === count || indexBytes.length !== 4 * kept) return `${name} has another number of indices`;
  const indices = new Uint32Array(indexBytes.slice().buffer);
  if (!isAscending(indices, count) || !isAscending(facts.exceptional, count))
    return `the indices of ${name} are out of order`;
  const exceptional = await readExceptional(request, indices, facts.exceptional);
  if (exceptional === undefined) return `${name} drops other points than those at infinity`;
  return { curve, group, form, count, kept, points, indices, exceptional, fromCache: true };
}

function isFacts(facts: unknown): facts is PreparedFacts {
  const { kept, exceptional } = ownMembers(facts);
  return isIndex(kept) && Array.isArray(exceptional) && exceptional.every(isIndex);
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether indices rise strictly and stay below `count`. */
function isAscending(indices: ArrayLike<number>, count: number): boolean {
  for (let i = 1; i < indices.length; i++) if (indices[i]! <= indices[i - 1]!) return false;
  return indices.length === 0 || indices[indices.length - 1]! < count;
}

/**
 * The exceptional points, read from the file. undefined unless every point of the file that is in neither list of
 * indices is at infinity, no point in a list is at infinity, and no point is in both lists.
 */
async function readExceptional(
  request: PrepareRequest,
  kept: Uint32Array,
  exceptional: readonly number[],
): Promise<ExceptionalPoint[] | undefined> {
  const { curve, group, count, points } = request;
  const bytes = pointBytes(curve, group);
  const slicePoints = Math.floor(SLICE_BYTES / bytes);
  const found: ExceptionalPoint[] = [];
  let nextKept = 0;
  const pointWords = bytes / 4;
  for (let first = 0; first < count; first += slicePoints) {
    const end = Math.min(count, first + slicePoints);
    const slice = await points.read(first * bytes, (end - first) * bytes);
    const words = new Uint32Array(slice.buffer);
    // On some curves the neutral element has another encoding than zeros, too.
    const isNeutral = (point: Uint8Array): boolean => decodePoint(curve, group, canonical(request, point)).infinity;
    const pointAt = (index: number): Uint8Array => slice.subarray((index - first) * bytes, (index - first + 1) * bytes);
    // A key has some ten thousand points, and a page reads them once: no calls and no views for those that are kept.
    for (let index = first; index < end; index++) {
      const isKept = kept[nextKept] === index;
      const isExceptional = exceptional[found.length] === index;
      if (isKept && isExceptional) return undefined;
      const start = (index - first) * pointWords;
      let word = start;
      while (word < start + pointWords && words[word] === 0) word++;
      const isZero = word === start + pointWords;
      if (isKept || isExceptional ? isZero : !isZero && !isNeutral(pointAt(index))) return undefined;
      if (isKept) nextKept++;
      if (isExceptional) found.push({ index, point: canonical(request, pointAt(index)) });
    }
    freeMemory(slice);
  }
  return found;
}

/** A point of the file in the boundary form. */
function canonical({ curve, encoding }: PrepareRequest, bytes: Uint8Array): Uint8Array {
  if (encoding === 'canonical') return bytes.slice();
  const { coordinateBytes, fq } = CURVES[curve];
  const factor = inverse(1n << BigInt(8 * coordinateBytes), fq.modulus);
  const point = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += coordinateBytes) {
    const value = bytesToBigint(bytes, at, coordinateBytes);
    writeBigint(point, at, coordinateBytes, (value * factor) % fq.modulus);
  }
  return point;
}
