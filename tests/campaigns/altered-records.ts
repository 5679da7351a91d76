import { bytesToBigint, writeBigint } from '../../sdk/base/bytes.js';
import { preparedPointBytes } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId, type GroupId } from '../../sdk/curves/index.js';
import { packedWords } from '../../sdk/curves/limbs.js';
import { MAP_FORMAT } from '../../sdk/engine/tune/performance-map.js';
import type { ChunkStore } from '../../sdk/files/cache/chunk-store.js';
import { decodeManifest, encodeManifest, type Manifest } from '../../sdk/files/cache/manifest.js';
import { type CacheRecord, PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import type { Random } from '../support/random.js';

/** What the name of a record's manifest ends with. */
const MANIFEST = '#manifest';

/** The keys of the records in a store. */
export async function recordsIn(store: ChunkStore): Promise<string[]> {
  const names = await store.keys();
  return names.filter((name) => name.endsWith(MANIFEST)).map((name) => name.slice(0, -MANIFEST.length));
}

/** What was done to a record. */
export interface Alteration {
  readonly what: string;
  /** Whether all points are still on their curve, so that only a proof can show that they are others. */
  readonly onCurve: boolean;
}

type Arrays = Record<string, Uint8Array>;

/**
 * Changes one record of a store as another script of the origin could: with hashes that fit.
 *
 * @param others records that may be put in its place.
 */
export async function alterRecord(
  store: ChunkStore,
  key: string,
  others: readonly string[],
  random: Random,
): Promise<Alteration> {
  if (random.integer(4) === 0) return alterManifest(store, key, random);
  const cache = new PreparedCache(store);
  const record = await load(cache, key);
  if (random.integer(12) === 0) {
    await cache.save(key, await load(cache, others[random.integer(others.length)]!));
    return { what: 'a record in place of another', onCurve: true };
  }
  if (random.integer(12) === 0) {
    await cache.save(key, { ...record, facts: alterFacts(record.facts, random) });
    return { what: 'facts', onCurve: true };
  }
  const arrays: Arrays = { ...record.arrays };
  const alteration = alterArrays(arrays, key, random);
  await cache.save(key, { ...record, arrays });
  return alteration;
}

async function load(cache: PreparedCache, key: string): Promise<CacheRecord> {
  const outcome = await cache.load(key);
  if (outcome.kind !== 'hit') throw new Error(`expected the record ${key}, got ${outcome.kind}`);
  return outcome.record;
}

/** Changes one of a record's arrays, most often the points in it. */
function alterArrays(arrays: Arrays, key: string, random: Random): Alteration {
  const names = Object.keys(arrays);
  const name = names[random.integer(names.length)]!;
  const array = arrays[name]!;
  switch (random.integer(8)) {
    case 0:
      arrays[name] = arrays[names[random.integer(names.length)]!]!;
      return { what: 'the array of another', onCurve: true };
    case 1:
      delete arrays[name];
      return { what: 'an array missing', onCurve: true };
    case 2: {
      const length = [0, 1, Math.max(0, array.length - 1), array.length + 64][random.integer(4)]!;
      const resized = new Uint8Array(length);
      resized.set(array.subarray(0, length));
      arrays[name] = resized;
      return { what: 'an array of another length', onCurve: true };
    }
    default:
      if (name.endsWith('.indices')) return alterIndices(array, random);
      return alterPoints(array, curveOf(key), groupOf(key, name), random);
  }
}

function curveOf(key: string): CurveId {
  const found = key.split('/').find((part) => Object.hasOwn(CURVES, part));
  if (found === undefined) throw new Error(`expected a curve in ${key}`);
  return found as CurveId;
}

/** B2 is the only vector of G2 here. */
function groupOf(key: string, array: string): GroupId {
  return array.startsWith('B2') || key.includes('/B2/') ? 'g2' : 'g1';
}

/** Changes points in packed form in place. */
function alterPoints(bytes: Uint8Array, curve: CurveId, group: GroupId, random: Random): Alteration {
  const size = preparedPointBytes(curve, group);
  const { fq, edwards } = CURVES[curve];
  const coordinateBytes = packedWords(fq.bits) * 4;
  const count = bytes.length / size;
  const pointAt = (index: number): Uint8Array => bytes.subarray(index * size, (index + 1) * size);
  const [point, other] = [pointAt(random.integer(count)), pointAt(random.integer(count))];
  const coordinate = coordinateBytes * random.integer(size / coordinateBytes);
  const onCurve: readonly [what: string, change: () => unknown][] = [
    ['a point replaced by another', () => point.set(other)],
    ['points shifted', () => bytes.set(bytes.slice(size))],
    // Which counts as infinity.
    ['a point of zeros', () => point.fill(0)],
    [
      'points exchanged',
      () => {
        const kept = point.slice();
        point.set(other);
        other.set(kept);
      },
    ],
  ];
  const negated: (typeof onCurve)[number] = [
    'a point negated',
    () => {
      for (let at = size / 2; at < size; at += coordinateBytes) {
        const y = bytesToBigint(point, at, coordinateBytes);
        writeBigint(point, at, coordinateBytes, (fq.modulus - y) % fq.modulus);
      }
    },
  ];
  const offCurve: typeof onCurve = [
    ['a bit of a point', () => flip(point, random)],
    ['a coordinate out of range', () => point.fill(255, coordinate, coordinate + coordinateBytes)],
    [
      'a coordinate plus p',
      () => {
        const value = bytesToBigint(point, coordinate, coordinateBytes) + fq.modulus;
        writeBigint(point, coordinate, coordinateBytes, value % (1n << BigInt(8 * coordinateBytes)));
      },
    ],
    ['points of random bytes', () => bytes.set(Uint8Array.from(bytes, () => random.integer(256)))],
  ];
  // On an Edwards form the opposite point has other coordinates.
  const fitting = edwards === undefined ? [...onCurve, negated] : onCurve;
  const kinds = random.integer(2) === 0 ? fitting : offCurve;
  const [what, change] = kinds[random.integer(kinds.length)]!;
  change();
  return { what, onCurve: kinds === fitting };
}

function flip(bytes: Uint8Array, random: Random): void {
  bytes[random.integer(bytes.length)]! ^= 1 << random.integer(8);
}

function alterIndices(bytes: Uint8Array, random: Random): Alteration {
  const indices = new Uint32Array(bytes.slice().buffer);
  const at = random.integer(indices.length);
  const kind = random.integer(4);
  if (kind === 0) indices.reverse();
  else if (kind === 1) indices[at]! += 1;
  else if (kind === 2) indices[at] = indices[random.integer(indices.length)]!;
  else indices[at] = [0, 2 ** 31, 2 ** 32 - 1][random.integer(3)]!;
  bytes.set(new Uint8Array(indices.buffer));
  return { what: 'an index', onCurve: true };
}

const ODD: readonly unknown[] = [null, -1, 0, 1.5, 2 ** 53, 1e300, '3', '', [], {}, true, [[0]], { kept: 1 }];

/** A value somewhere in JSON replaced by one that does not belong there, or a field left out. */
function alterFacts(facts: unknown, random: Random): unknown {
  const odd = ODD[random.integer(ODD.length)];
  const isInner = typeof facts === 'object' && facts !== null && Object.keys(facts).length > 0;
  if (!isInner || random.integer(5) === 0) return odd;
  const copy = (Array.isArray(facts) ? [...facts] : { ...facts }) as Record<string, unknown>;
  const names = Object.keys(copy);
  const name = names[random.integer(names.length)]!;
  if (!Array.isArray(facts) && random.integer(5) === 0) delete copy[name];
  else copy[name] = alterFacts(copy[name], random);
  return copy;
}

async function alterManifest(store: ChunkStore, key: string, random: Random): Promise<Alteration> {
  const name = `${key}${MANIFEST}`;
  const manifest = await decodeManifest((await store.get(name))!, key);
  if (typeof manifest === 'string') throw new Error(`expected the manifest of ${key}, got ${manifest}`);
  const changed = structuredClone(manifest) as { key: unknown; facts: unknown; arrays: LooseArray[] };
  const array = changed.arrays[random.integer(changed.arrays.length)];
  const huge = [2 ** 30, 2 ** 33, 2 ** 42, Number.MAX_SAFE_INTEGER][random.integer(4)]!;
  const kinds: readonly [what: string, change: () => unknown][] = [
    ['another key', () => Object.assign(changed, { key: `${key}0` })],
    ['no arrays', () => Object.assign(changed, { arrays: [] })],
    ['arrays that are none', () => Object.assign(changed, { arrays: ODD[random.integer(ODD.length)] })],
    ['arrays in another order', () => changed.arrays.reverse()],
    ['a repeated array', () => changed.arrays.push(changed.arrays[0]!)],
    ['a thousand empty arrays', () => changed.arrays.push(...Array.from({ length: 1000 }, emptyArray))],
    ['another length', () => Object.assign(array ?? {}, { length: huge })],
    [
      'a huge length with chunks for it',
      () =>
        Object.assign(array ?? {}, {
          length: 2 ** 32,
          chunks: Array.from({ length: 1024 }, () => '00'.repeat(32)),
        }),
    ],
    ['another chunk', () => Object.assign(array ?? {}, { chunks: [ODD[random.integer(ODD.length)]] })],
    ['an odd name', () => Object.assign(array ?? {}, { name: ['__proto__', 'constructor', ''][random.integer(3)] })],
    ['odd facts', () => Object.assign(changed, { facts: ODD[random.integer(ODD.length)] })],
  ];
  const [what, change] = kinds[random.integer(kinds.length)]!;
  change();
  await store.set(name, await encodeManifest(changed as unknown as Manifest));
  return { what: `a manifest with ${what}`, onCurve: true };
}

interface LooseArray {
  name: unknown;
  length: unknown;
  chunks: unknown;
}

function emptyArray(): LooseArray {
  return { name: 'A.points', length: 0, chunks: [] };
}

/**
 * A performance map of this adapter and one thread that says nonsense: with one field replaced by anything, or with
 * numbers of any size.
 */
export function alteredMap(adapter: string, random: Random): unknown {
  const numbers = [1, 2, 3, 20, 1000, 2 ** 20, 2 ** 32, 2 ** 53 - 1];
  const number = (): number => numbers[random.integer(numbers.length)]!;
  const row = (): object => ({
    curve: ['bn254', 'bls12-377', 'bls12-381'][random.integer(3)],
    group: ['g1', 'g2'][random.integer(2)],
    points: 2 ** random.integer(12),
    windowBits: 4 + random.integer(17),
    chunks: number(),
    largeBucketFactor: number() / 1000,
    ...(random.integer(2) === 0 && { digits: 'workers' }),
    work: number(),
    ms: number() / 2 ** 20,
    checkedMs: number() / 2 ** 20,
    sparse: { work: number(), ms: number() / 2 ** 20, checkedMs: number() / 2 ** 20 },
    withMultiples: [{ multiples: number(), windowBits: 4 + random.integer(17), rows: number(), ms: 1 / number() }],
  });
  const rows = (): object[] => Array.from({ length: 8 }, row);
  const map = {
    format: MAP_FORMAT,
    made: '',
    platform: '',
    workers: { threads: 1, rows: rows() },
    gpu: { adapter, products: ['limbs', 'bytes'][random.integer(2)], rows: rows() },
  };
  return random.integer(2) === 0 ? map : alterFacts(map, random);
}
