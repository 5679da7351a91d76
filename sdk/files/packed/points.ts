import { newBytes } from '../../base/bytes.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import { type ByteSource, expectWithin } from '../byte-source.js';
import { copyPart, METHOD, malformedPackedKey, type PackedSection } from './header.js';
import { Infinities, infinityBytes } from './infinities.js';

/** Computes points from x and a sign, in the form of a .zkey. `first` is the number of the first, for messages. */
export type Decompress = (
  group: GroupId,
  compressed: Uint8Array<ArrayBuffer>,
  what: string,
  first: number,
) => Promise<Uint8Array>;

/** Points that are decompressed by one job: a tenth of a second at most. */
const JOB_POINTS = 2 ** 11;

/** By the numbers of a packed key, less 1. */
export const GROUPS: readonly GroupId[] = ['g1', 'g2'];

/** A vector of points of a packed key. */
export interface PointsSection {
  readonly section: PackedSection;
  readonly packed: ByteSource;
  readonly curve: Curve;
  readonly decompress: Decompress;
}

/**
 * The points of a .zkey that are packed. Only the infinities are read here. `MALFORMED_FILE` names what cannot be;
 * reading ends in `INVALID_POINT` for an x that belongs to no point.
 *
 * @param infinitiesOf the bits of another section, by its number.
 */
export async function unpackedPoints(
  { section, packed, curve, decompress }: PointsSection,
  infinitiesOf: (id: number) => Promise<Uint8Array>,
): Promise<ByteSource> {
  const { id, size, method, parameters } = section;
  const [groupNumber, bitsFrom] = parameters;
  const group = GROUPS[groupNumber - 1];
  if (group === undefined) throw malformedPackedKey(`section ${id} of group 1 or 2`, `group ${groupNumber}`);
  const bytes = pointBytes(curve.id, group);
  const count = size / bytes;
  if (!Number.isInteger(count)) throw malformedPackedKey(`points of ${bytes} bytes in section ${id}`, `${size} bytes`);
  const bits = bitsFrom === 0 ? new Uint8Array(infinityBytes(count)) : await infinitiesOf(bitsFrom);
  if (bits.length !== infinityBytes(count)) {
    throw malformedPackedKey(`infinities of ${count} points for section ${id}`, `${bits.length} bytes`);
  }
  const infinities = new Infinities(bits, count);
  const isCompressed = method === METHOD.compressedPoints;
  const eachPacked = isCompressed ? bytes / 2 : bytes;
  const start = bitsFrom === id ? bits.length : 0;
  if (start + infinities.finite() * eachPacked !== packed.size) {
    throw malformedPackedKey(`${infinities.finite()} finite points in section ${id}`, `${packed.size - start} bytes`);
  }
  const what = `section ${id} of the packed key`;

  /** The points from..to in the form of the .zkey. */
  const job = async (from: number, to: number): Promise<Uint8Array> => {
    const first = infinities.finite(from);
    const finite = infinities.finite(to) - first;
    const given = await packed.read(start + first * eachPacked, finite * eachPacked);
    const points = isCompressed && finite > 0 ? await decompress(group, given, what, first) : given;
    if (finite === to - from) return points;
    const spread = newBytes((to - from) * bytes);
    for (let i = from, at = 0; i < to; i++) {
      if (infinities.has(i)) continue;
      spread.set(points.subarray(at, at + bytes), (i - from) * bytes);
      at += bytes;
    }
    return spread;
  };

  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      const first = Math.floor(offset / bytes);
      const last = Math.ceil((offset + length) / bytes);
      const result = newBytes(length);
      const jobs: Promise<void>[] = [];
      for (let from = first; from < last; from += JOB_POINTS) {
        const to = Math.min(from + JOB_POINTS, last);
        jobs.push(job(from, to).then((points) => copyPart(result, offset, points, from * bytes)));
      }
      // After a failure, too, all of them are waited for.
      await Promise.allSettled(jobs);
      await Promise.all(jobs);
      return result;
    },
  };
}
