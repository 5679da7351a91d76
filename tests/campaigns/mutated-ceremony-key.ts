import { joinBytes } from '../../sdk/base/bytes.js';
import { CeremonyHash } from '../../sdk/ceremony/contributions.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/curves/modular.js';
import { montgomeryReader } from '../../sdk/files/snarkjs/zkey-header.js';
import type { Random } from '../support/random.js';
import { patched, sectionFile, sectionsOf, u32 } from '../support/section-bytes.js';
import { generatorOf, mapPoints, timesPoints } from './ceremony-points.js';
import { flipped, pick, spoiltPoint } from './mutated-bytes.js';
import { type Change, changeBody, mutatedFile, type Parts, u32At, withNumber } from './mutated-sections.js';

/** Keys of one ceremony, and of other ceremonies with the same first key. */
export interface CeremonyKeys {
  readonly curve: CurveId;
  readonly first: Uint8Array;
  readonly others: readonly Uint8Array[];
}

const [HEADER, C, H, HISTORY] = [2, 8, 9, 10] as const;
const GROUPS: ReadonlyMap<number, GroupId> = new Map([
  [3, 'g1'],
  [5, 'g1'],
  [6, 'g1'],
  [7, 'g2'],
  [C, 'g1'],
  [H, 'g1'],
]);
const HASH_BYTES = 64;
const RECORD_POINTS = ['g1', 'g1', 'g1', 'g2'] as const;

/** One key of so many has changes of its form as well, such as of its table of sections. */
const MALFORMED_AMONG = 8;

/** A Groth16 key with one to three changes, of which most are such as a dishonest contributor could make. */
export function mutatedCeremonyKey(keys: CeremonyKeys, key: Uint8Array, random: Random): Uint8Array {
  const changes = changesOf(keys);
  if (random.integer(MALFORMED_AMONG) === 0) return mutatedFile(key, changes, random);
  let parts: Parts = { magic: 'zkey', version: u32At(key, 4), sections: sectionsOf(key) };
  for (let i = random.integer(3); i >= 0; i--) parts = pick(random, changes)(parts, random);
  return sectionFile(parts.magic, parts.version, parts.sections);
}

const changesOf = ({ curve, first, others }: CeremonyKeys): readonly Change[] => {
  const foreign = (random: Random): Uint8Array => pick(random, [first, ...others]);
  const sectionOf = (file: Uint8Array, id: number): Uint8Array =>
    sectionsOf(file).find(([each]) => each === id)?.[1] ?? new Uint8Array();
  const dishonest: readonly Change[] = [
    (parts, random) => exchanged(parts, curve, random),
    (parts, random) => sameSum(parts, curve, random),
    (parts, random) => scaledParts(parts, curve, random),
    // A section of another ceremony's key.
    (parts, random) => {
      const id = pick(random, [HEADER, C, H, HISTORY]);
      const body = sectionOf(foreign(random), id);
      return changeBody(parts, id, () => body);
    },
    (parts, random) => changedHistory(parts, curve, foreign(random), random),
    (parts, random) => changedHistory(parts, curve, foreign(random), random),
  ];
  return [
    ...dishonest,
    ...dishonest,
    (parts, random) => {
      const id = pick(random, [...GROUPS.keys()]);
      const group = GROUPS.get(id)!;
      return changeBody(parts, id, (body) => spoilt(body, curve, group, random));
    },
    // A point of the header.
    (parts, random) =>
      changeBody(parts, HEADER, (body) => {
        const groups = ['g1', 'g1', 'g2', 'g2', 'g1', 'g2'] as const;
        const sizes = groups.map((group) => pointBytes(curve, group));
        const chosen = random.integer(groups.length);
        const at = body.length - sizes.slice(chosen).reduce((sum, size) => sum + size, 0);
        return at < 0 ? body : spoiltPoint(body, at, sizes[chosen]!, CURVES[curve].coordinateBytes, random);
      }),
    (parts, random) => changeBody(parts, HEADER, (body) => flipped(body, random)),
    (parts, random) => changeBody(parts, HISTORY, (body) => flipped(body, random)),
    (parts, random) => changeBody(parts, 4, (body) => withNumber(body, 4 * random.integer(body.length >> 2), random)),
  ];
};

function spoilt(body: Uint8Array, curve: CurveId, group: GroupId, random: Random): Uint8Array {
  const size = pointBytes(curve, group);
  const points = Math.floor(body.length / size);
  const at = size * random.integer(Math.max(1, points));
  return points === 0 ? body : spoiltPoint(body, at, size, CURVES[curve].coordinateBytes, random);
}

/** Two points of C or H exchanged. */
function exchanged(parts: Parts, curve: CurveId, random: Random): Parts {
  const size = pointBytes(curve, 'g1');
  return changeBody(parts, pick(random, [C, H]), (body) => {
    const [a, b] = twoOf(Math.floor(body.length / size), random).map((index) => index * size) as [number, number];
    const one = patched(body, a, body.subarray(b, b + size));
    return patched(one, b, body.subarray(a, a + size));
  });
}

/** A point of C or H moved, and another one moved back, so that their sum stays. */
function sameSum(parts: Parts, curve: CurveId, random: Random): Parts {
  return changeBody(parts, pick(random, [C, H]), (body) => {
    const [a, b] = twoOf(Math.floor(body.length / pointBytes(curve, 'g1')), random);
    const by = generatorOf(curve, 'g1').multiplyUnsafe(1n + random.below(1000n));
    return mapPoints(curve, 'g1', body, (point, i) => (i === a ? point.add(by) : i === b ? point.subtract(by) : point));
  });
}

function twoOf(count: number, random: Random): [number, number] {
  const a = random.integer(Math.max(1, count));
  return [a, (a + 1 + random.integer(Math.max(1, count - 1))) % Math.max(1, count)];
}

/** Some of delta in both groups, delta of the last record, C and H by a factor, as a contribution would change all. */
function scaledParts(parts: Parts, curve: CurveId, random: Random): Parts {
  const r = CURVES[curve].fr.modulus;
  const factor = pick(random, [2n, 3n, r - 1n, 1n + random.below(r - 1n)]);
  const back = inverse(factor, r);
  const [g1, g2] = [pointBytes(curve, 'g1'), pointBytes(curve, 'g2')];
  const times = (body: Uint8Array, group: GroupId, at: number, size: number): Uint8Array =>
    at < 0 ? body : patched(body, at, timesPoints(curve, group, body.subarray(at, at + size), factor));
  const steps: readonly ((from: Parts) => Parts)[] = [
    (from) => changeBody(from, HEADER, (body) => times(body, 'g1', body.length - g1 - g2, g1)),
    (from) => changeBody(from, HEADER, (body) => times(body, 'g2', body.length - g2, g2)),
    (from) => changeBody(from, C, (body) => timesPoints(curve, 'g1', body, back)),
    (from) => changeBody(from, H, (body) => timesPoints(curve, 'g1', body, back)),
    (from) => {
      const history = historyOf(from, curve);
      const last = history?.records.at(-1);
      if (history === undefined || last === undefined) return from;
      const changed = times(last, 'g1', 0, g1);
      return withHistory(from, { ...history, records: history.records.with(-1, changed) });
    },
  ];
  const all = random.integer(2) === 0;
  return steps.filter(() => all || random.integer(3) > 0).reduce((changed, step) => step(changed), parts);
}

/** The history of a key as bytes: the circuit's hash, and each record. */
interface RawHistory {
  readonly circuitHash: Uint8Array;
  readonly records: readonly Uint8Array[];
}

const pointsLength = (curve: CurveId): number =>
  RECORD_POINTS.reduce((sum, group) => sum + pointBytes(curve, group), 0);

function historyOf({ sections }: Pick<Parts, 'sections'>, curve: CurveId): RawHistory | undefined {
  const body = sections.find(([id]) => id === HISTORY)?.[1];
  if (body === undefined || body.length < HASH_BYTES + 4) return undefined;
  const records: Uint8Array[] = [];
  const fixed = pointsLength(curve) + HASH_BYTES + 8;
  for (let at = HASH_BYTES + 4; at < body.length; ) {
    const end = at + fixed + (at + fixed <= body.length ? u32At(body, at + fixed - 4) : 0);
    if (end > body.length) return undefined;
    records.push(body.slice(at, end));
    at = end;
  }
  return { circuitHash: body.slice(0, HASH_BYTES), records };
}

const withHistory = (parts: Parts, { circuitHash, records }: RawHistory): Parts =>
  changeBody(parts, HISTORY, () => joinBytes([circuitHash, u32(records.length), ...records]));

/** Contributions dropped, repeated, exchanged or changed, half of the time with transcripts that fit. */
function changedHistory(parts: Parts, curve: CurveId, foreign: Uint8Array, random: Random): Parts {
  const own = historyOf(parts, curve);
  const other = historyOf({ sections: sectionsOf(foreign) }, curve);
  if (own === undefined || other === undefined) return parts;
  const { records } = own;
  const at = random.integer(Math.max(1, records.length));
  const all = [...records, ...other.records];
  const change = pick<() => RawHistory>(random, [
    () => ({ ...own, records: records.toSpliced(at, 1) }),
    () => ({ ...own, records: all.length === 0 ? records : records.toSpliced(at, 0, pick(random, all)) }),
    () => ({ ...own, records: records.toReversed() }),
    () => ({ ...own, circuitHash: flipped(own.circuitHash, random) }),
    ...Array.from({ length: 4 }, () => () => ({
      ...own,
      records: records.map((record, i) =>
        i === at ? changedRecord(record, curve, pick(random, all), random) : record,
      ),
    })),
  ]);
  const changed = change();
  return withHistory(parts, random.integer(2) === 0 ? changed : withTranscripts(changed, curve));
}

/** A record with a point of another one, its opposite or a multiple, or with another type or parameters. */
function changedRecord(record: Uint8Array, curve: CurveId, other: Uint8Array, random: Random): Uint8Array {
  const parameters = pointsLength(curve) + HASH_BYTES;
  const which = random.integer(RECORD_POINTS.length);
  const group = RECORD_POINTS[which]!;
  const [from, size] = [which * pointBytes(curve, 'g1'), pointBytes(curve, group)];
  const point = record.subarray(from, from + size);
  switch (random.integer(6)) {
    case 0:
      return patched(record, from, other.subarray(from, from + size));
    case 1:
      return patched(record, from, timesPoints(curve, group, point, CURVES[curve].fr.modulus - 1n));
    case 2:
      return patched(record, from, timesPoints(curve, group, point, 2n + random.below(1000n)));
    case 3:
      // s and s x by one factor, which keeps their ratio.
      return [1, 2].reduce((changed, place) => {
        const begin = place * pointBytes(curve, 'g1');
        const end = begin + pointBytes(curve, 'g1');
        return patched(changed, begin, timesPoints(curve, 'g1', changed.subarray(begin, end), 5n));
      }, record);
    case 4:
      return patched(record, parameters, u32(pick(random, [0, 1, 2])));
    default:
      return joinBytes([record.subarray(0, parameters + 8), flipped(record.subarray(parameters + 8), random)]);
  }
}

/** The history with the transcript of each record as the hash of all that is before it. */
function withTranscripts({ circuitHash, records }: RawHistory, curve: CurveId): RawHistory {
  const read = montgomeryReader(CURVES[curve]);
  const hash = CeremonyHash.create().bytes(circuitHash);
  const written: Uint8Array[] = [];
  try {
    for (const record of records) {
      let from = 0;
      const [deltaAfter, g1s, g1sx, g2spx] = RECORD_POINTS.map((group) => {
        const size = pointBytes(curve, group);
        from += size;
        return read(record.subarray(from - size, from), 'a point');
      }) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
      const transcript = hash.transcriptWith(g1s, g1sx);
      hash.contribution({ points: { deltaAfter, g1s, g1sx, g2spx }, transcript });
      written.push(patched(record, pointsLength(curve), transcript));
    }
  } catch {
    return { circuitHash, records };
  }
  return { circuitHash, records: written };
}
