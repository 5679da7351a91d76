import type { Groth16VerificationKey } from '../../api.js';
import { ConstraintMatrix } from '../../cpu/pool/constraints.js';
import { type PrepareRequest, prepareBases } from '../../cpu/pool/prepare.js';
import { RestorableBytes } from '../../cpu/pool/restorable-bytes.js';
import { type Share, shareOut } from '../../cpu/pool/shares.js';
import type { CurveId } from '../../curves/index.js';
import type { Backends } from '../../engine/backends.js';
import { type BasesFacts, basesFromRecord, basesToRecord } from '../../engine/bases-record.js';
import type { Call } from '../../engine/call.js';
import type { EngineContext } from '../../engine/context.js';
import type { SourceDescription } from '../../engine/engine-api.js';
import { LoadedBases } from '../../engine/loaded-bases.js';
import { openSource } from '../../engine/sources.js';
import type { PreparedBases } from '../../msm/prepared.js';
import type { ProofPart } from '../../progress.js';
import { verificationKeyToJson } from '../../snarkjs/proof-json.js';
import { checkCoefficientSignals, type KeyFacts, type KeyPoints, readZkey, type Zkey } from '../../snarkjs/zkey.js';
import { Verifier } from './verify.js';

const PARTS: readonly ProofPart[] = ['A', 'B1', 'B2', 'C', 'H'];

/** What a G2 addition costs in G1 additions. */
const G2_WEIGHT = 3;

/** Vectors that are brought to the coset for the quotient. */
export const TRANSFORMS = 3;
/** What that costs an element, a G1 point of a sum being 1. */
const TRANSFORM_COST = 0.1;

/** A proving key taken apart, ready to be copied to where it is used. */
interface PreparedKey {
  readonly facts: KeyFacts;
  readonly points: KeyPoints;
  readonly vectors: Readonly<Record<ProofPart, PreparedBases>>;
  /** The rows of the coefficient section. */
  readonly coefficients: Uint8Array;
}

/** What of a key fits in JSON; points as lists of bytes. */
interface KeyRecordFacts {
  readonly facts: KeyFacts;
  readonly points: Readonly<Record<Exclude<keyof KeyPoints, 'ic'>, number[]>> & { readonly ic: number[][] };
  readonly vectors: Readonly<Record<ProofPart, BasesFacts>>;
}

/** A proving key in place: its vectors on the GPU or the workers, its constraint system on the workers. */
export class LoadedKey {
  readonly facts: KeyFacts & { readonly verificationKey: Groth16VerificationKey };
  private checkedVerifier: Promise<Verifier> | undefined;

  constructor(
    readonly curve: CurveId,
    facts: KeyFacts,
    readonly points: KeyPoints,
    readonly vectors: Readonly<Record<ProofPart, LoadedBases>>,
    readonly matrices: readonly [ConstraintMatrix, ConstraintMatrix],
  ) {
    this.facts = { ...facts, verificationKey: verificationKeyToJson(curve, points) };
  }

  /** Made when it is first wanted, without the signal of a call, because others may wait for it too. A failure is not kept. */
  verifier(backends: Backends): Promise<Verifier> {
    this.checkedVerifier ??= Verifier.create(
      backends.pairings(this.curve, undefined),
      this.facts.verificationKey,
    ).catch((error) => {
      this.checkedVerifier = undefined;
      throw error;
    });
    return this.checkedVerifier;
  }

  release(): void {
    for (const bases of Object.values(this.vectors)) bases.release();
    for (const matrix of this.matrices) matrix.release();
  }
}

/** Reads, checks and prepares a .zkey, or takes what the cache has of it, and copies it to where it will be used. */
export async function loadKey(
  context: EngineContext,
  call: Call,
  description: SourceDescription,
): Promise<{ key: LoadedKey; cached: boolean }> {
  const { backends, cache } = context;
  const source = await call.span('read', 'host', () => openSource(context.platform, description, call.signal));
  // Before anything else, so that a file of another kind is told at once.
  const zkey = await call.span('read', 'host', () => readZkey(source));
  const { curve } = zkey;
  const opened = backends.open(curve);
  // Awaited below; a failure must not count as unhandled while the source is being hashed.
  opened.catch(() => undefined);
  const cacheKey = await cache.key(call, `groth16/${curve}`, source);
  await opened;
  const record = await cache.load<KeyRecordFacts>(call, cacheKey);
  const known = record && keyFromRecord(record.facts, record.arrays);
  const prepared = known ?? (await prepareKey(context, call, zkey));
  const shares = workerShares(backends, curve, prepared);
  const coefficients = new RestorableBytes(prepared.coefficients, readingCoefficients(zkey));
  const key = new LoadedKey(
    curve,
    prepared.facts,
    prepared.points,
    mapParts((part) => new LoadedBases(prepared.vectors[part], prepareRequest(zkey, part), backends, shares[part])),
    [0, 1].map(
      (matrix) =>
        new ConstraintMatrix(
          backends.pool,
          curve,
          matrix as 0 | 1,
          coefficients,
          prepared.facts.domainSize,
          matrix % backends.pool.size,
        ),
    ) as [ConstraintMatrix, ConstraintMatrix],
  );
  try {
    await Promise.all([
      ...PARTS.map((part) => key.vectors[part].load(call, part)),
      call.span('upload', 'wasm', () => Promise.all(key.matrices.map((matrix) => matrix.load(call.signal)))),
      known === undefined ? cache.save(call, cacheKey, keyToRecord(prepared)) : undefined,
    ]);
    // Whatever must be loaded again is read from the source again.
    await Promise.all([...PARTS.map((part) => key.vectors[part].freePoints()), coefficients.free()]);
  } catch (error) {
    key.release();
    throw error;
  }
  return { key, cached: known !== undefined };
}

/**
 * Which worker keeps what of the sums that start with the witness, where the workers compute them all at once; those that make the
 * transforms keep less. The one over H comes alone, after the others, and is spread equally.
 */
function workerShares(
  backends: Backends,
  curve: CurveId,
  { vectors, facts }: PreparedKey,
): Partial<Record<ProofPart, Share[]>> {
  if (backends.gpuMsm(curve, 'g1') !== undefined) return {};
  const parts: readonly ProofPart[] = ['A', 'B1', 'B2', 'C'];
  const workers = backends.pool.size;
  const loads = new Array<number>(workers).fill(0);
  for (let i = 0; i < TRANSFORMS; i++) loads[i % workers]! += TRANSFORM_COST * facts.domainSize;
  const shares = shareOut(
    parts.map((part) => ({ count: vectors[part].kept, weight: vectors[part].group === 'g2' ? G2_WEIGHT : 1 })),
    loads,
  );
  return Object.fromEntries(parts.map((part, i) => [part, shares[i]]));
}

async function prepareKey({ backends }: EngineContext, call: Call, zkey: Zkey): Promise<PreparedKey> {
  const meters = mapParts((part) => {
    const { group, count } = zkey.vectors[part];
    return call.meter('prepare', Math.max(1, count) * (group === 'g2' ? G2_WEIGHT : 1));
  });
  const prepare = async (part: ProofPart): Promise<readonly [ProofPart, PreparedBases]> => {
    const options = { signal: call.signal, onProgress: meters[part] };
    const bases = await call.span(
      'prepare',
      'wasm',
      () => prepareBases(backends.pool, prepareRequest(zkey, part), options),
      part,
    );
    meters[part](1);
    return [part, bases];
  };
  const vectors = Object.fromEntries(await Promise.all(PARTS.map(prepare))) as Record<ProofPart, PreparedBases>;
  const coefficients = await call.span('read', 'host', readingCoefficients(zkey));
  checkCoefficientSignals(coefficients, zkey.facts);
  return { facts: zkey.facts, points: zkey.points, vectors, coefficients };
}

function prepareRequest(zkey: Zkey, part: ProofPart): PrepareRequest {
  const { group, count, bytes } = zkey.vectors[part];
  return { curve: zkey.curve, group, encoding: 'montgomery', count, points: bytes };
}

function readingCoefficients({ coefficients }: Zkey): () => Promise<Uint8Array> {
  return () => coefficients.read(0, coefficients.size);
}

function keyToRecord(key: PreparedKey): { facts: KeyRecordFacts; arrays: Record<string, Uint8Array> } {
  const records = mapParts((part) => basesToRecord(part, key.vectors[part]));
  const { ic, ...points } = key.points;
  const bytes = Object.fromEntries(Object.entries(points).map(([name, point]) => [name, [...point]]));
  return {
    facts: {
      facts: key.facts,
      points: { ...bytes, ic: ic.map((point) => [...point]) } as KeyRecordFacts['points'],
      vectors: mapParts((part) => records[part].facts),
    },
    arrays: Object.assign({ coefficients: key.coefficients }, ...PARTS.map((part) => records[part].arrays)),
  };
}

/** undefined when the record lacks something; then the key is prepared again. */
function keyFromRecord(
  { facts, points, vectors }: KeyRecordFacts,
  arrays: Readonly<Record<string, Uint8Array>>,
): PreparedKey | undefined {
  const { coefficients } = arrays;
  const bases = mapParts((part) => basesFromRecord(part, vectors[part], arrays));
  if (coefficients === undefined || PARTS.some((part) => bases[part] === undefined)) return undefined;
  const { ic, ...rest } = points;
  const bytes = Object.fromEntries(Object.entries(rest).map(([name, list]) => [name, Uint8Array.from(list)]));
  return {
    facts,
    points: { ...bytes, ic: ic.map((list) => Uint8Array.from(list)) } as unknown as KeyPoints,
    vectors: bases as Record<ProofPart, PreparedBases>,
    coefficients,
  };
}

function mapParts<T>(make: (part: ProofPart) => T): Record<ProofPart, T> {
  return Object.fromEntries(PARTS.map((part) => [part, make(part)])) as Record<ProofPart, T>;
}
