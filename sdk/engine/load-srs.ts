import { copyBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { CURVES, type CurveId, pointBytes } from '../curves/index.js';
import { type ByteSource, memorySource, partOf } from '../files/byte-source.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import { MAX_KEY_BYTES } from '../files/downloads.js';
import { readPtau } from '../files/snarkjs/ptau.js';
import { montgomeryReader } from '../files/snarkjs/zkey-header.js';
import { expectTau } from '../proofs/kzg/verify.js';
import { pairings } from '../proofs/pairings.js';
import { drawPowersCheck, isTauOfPowers } from '../proofs/powers-of-tau.js';
import { isSameMultiple } from '../proofs/verified-points.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import type { KzgMsms, SrsTask } from './kzg-api.js';
import { loadPoints, type MsmBases } from './msm-bases.js';
import { loadKept } from './sources/kept-source.js';

/** A file has powers in G1 and G2 and with other factors; of these a part is used. */
const ROOM_OF_SRS = 1.5;

/** The fewest powers of an SRS: without tau in G1 there is nothing to compare tau in G2 with. */
const LEAST_POWERS = 2;

/** Powers of tau, which have not been read. */
interface Powers {
  readonly curve: CurveId;
  readonly pointsForm: 'canonical' | 'montgomery';
  readonly g1: ByteSource;
  readonly size: number;
  /** In the boundary form. */
  readonly tauG2: Uint8Array;
}

/** Reads and checks powers of tau, and copies them to where they will be used. */
export async function loadSrs(
  context: EngineContext,
  call: Call,
  task: SrsTask,
): Promise<{
  readonly powers: MsmBases;
  readonly curve: CurveId;
  readonly tauG2: Uint8Array;
  readonly cached: boolean;
}> {
  const { source: description, sha256, maxBytes = MAX_KEY_BYTES } = task;
  const file = { description, sha256, what: 'file of powers of tau', maxBytes, room: ROOM_OF_SRS };
  return loadKept(context, call, file, async (source) => {
    const { g1, ...found } = await call.span('read', 'host', () => readPowers(source, task));
    const { curve, tauG2 } = found;
    await context.backends.openCurve(curve, ['g1']);
    await expectTauOfPowers(context, call, { g1, ...found });
    const own = await sourceOfPowers(context, source, g1, description.kind === 'bytes' || description.kind === 'url');
    const { pointsForm } = found;
    const points = { curve, group: 'g1', pointsForm, checkSubgroup: true, tuning: task.tuning } as const;
    const also = { mark: 'powers', expect: (loaded: MsmBases) => expectPowers(context, call, loaded, found) };
    try {
      const toLoad = task.checkPowers ? { ...points, also } : points;
      const { loaded, cached } = await loadPoints(own, context, call, toLoad);
      return { powers: loaded, curve, tauG2, cached };
    } catch (error) {
      void own.close();
      throw error;
    }
  });
}

async function readPowers(source: LoadedSource, { points, curve, size }: SrsTask): Promise<Powers> {
  if (points === undefined) {
    const ptau = await readPtau(source);
    if (curve !== undefined && ptau.curve !== curve) {
      throw new PippinError('CURVE_MISMATCH', `expected powers of tau over ${curve}, got some over ${ptau.curve}`);
    }
    return firstPowers({ ...ptau, pointsForm: 'montgomery', size: size ?? 2 ** ptau.power });
  }
  const count = source.size / pointBytes(points.curve, 'g1');
  if (!Number.isInteger(count)) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected points of ${pointBytes(points.curve, 'g1')} bytes each, got ${source.size} bytes`,
    );
  }
  const tauG2 = canonical(points.curve, points.pointsForm, points.tauG2, 'tau in G2');
  return firstPowers({ ...points, tauG2, g1: source, size: size ?? count });
}

/** The first powers alone. `INVALID_LENGTH` if there are too few. */
function firstPowers(powers: Powers): Powers {
  const { curve, g1, size } = powers;
  const bytes = pointBytes(curve, 'g1');
  if (size < LEAST_POWERS || size * bytes > g1.size) {
    const expected = size < LEAST_POWERS ? LEAST_POWERS : size;
    const got = Math.floor(g1.size / bytes);
    throw new PippinError('INVALID_LENGTH', `expected at least ${expected} powers of tau in G1, got ${got}`);
  }
  return { ...powers, g1: partOf(g1, 0, size * bytes) };
}

/**
 * A source of the powers alone, which is hashed and kept open: the cache finds powers by their own bytes. What was
 * downloaded or given as bytes is let go if the powers are less than half of it.
 */
async function sourceOfPowers(
  { sources }: EngineContext,
  source: LoadedSource,
  g1: ByteSource,
  isInMemory: boolean,
): Promise<LoadedSource> {
  if (!isInMemory || g1.size > source.size / 2) {
    return sources.adopt({ source: g1 }, source.records, () => source.close());
  }
  const own = memorySource(await g1.read(0, g1.size));
  return sources.adopt({ source: own }, source.records);
}

/** `MALFORMED_FILE` unless the powers begin with the generator and tau times it, for the tau in G2. */
async function expectTauOfPowers(
  { backends }: EngineContext,
  { signal }: Call,
  { curve, pointsForm, g1, tauG2 }: Powers,
): Promise<void> {
  const arithmetic = pairings(backends.pool, curve, signal);
  await expectTau(arithmetic, tauG2);
  const firstTwo = canonical(curve, pointsForm, await g1.read(0, 2 * pointBytes(curve, 'g1')), 'the first powers');
  if (await isTauOfPowers(arithmetic, curve, firstTwo, tauG2)) return;
  throw new PippinError(
    'MALFORMED_FILE',
    'expected powers that begin with the generator of G1 and with tau times it, for the tau in G2, got others',
  );
}

/** `MALFORMED_FILE` unless all points are powers of this tau. */
async function expectPowers(
  { backends }: EngineContext,
  call: Call,
  loaded: MsmBases,
  { curve, tauG2 }: Pick<Powers, 'curve' | 'tauG2'>,
): Promise<void> {
  const how = { check: undefined, constantWork: false };
  const [low, high] = await multiplyPowers(call, loaded, drawPowersCheck(loaded.count), 2, how);
  if (await isSameMultiple(pairings(backends.pool, curve, call.signal), curve, high!, tauG2, low!)) return;
  throw new PippinError('MALFORMED_FILE', 'expected the powers of one tau, got points that are not');
}

/** Points in the boundary form; `INVALID_POINT` for a coordinate that is not below p. */
function canonical(curve: CurveId, form: 'canonical' | 'montgomery', points: Uint8Array, name: string): Uint8Array {
  return form === 'montgomery' ? montgomeryReader(CURVES[curve])(points, name) : copyBytes(points);
}

/** MSMs over powers, whose scalars lie one MSM after another; see `MsmBases.multiplyBatch`. */
export function multiplyPowers(
  call: Call,
  powers: MsmBases,
  scalars: Uint8Array,
  batchSize: number,
  how: KzgMsms,
): Promise<Uint8Array[]> {
  const request = { batchSize, sharedBases: true, bitSize: undefined, tuning: {}, scalarsForm: 'canonical' } as const;
  return powers.multiplyBatch(call, scalars, { ...request, ...how });
}
