import type { Groth16Proof } from '../../api/index.js';
import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { CachedPoints } from '../../bases/cached-points.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { LoadedTuning } from '../../bases/multiples.js';
import type { PreparedBases } from '../../bases/prepared.js';
import { preparedFromRecord, preparedToRecord } from '../../bases/prepared-record.js';
import type { BasesCall } from '../../bases/record-cache.js';
import type { RenewableVectors } from '../../bases/renewal.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { ConstraintMatrix, matrixBytes } from '../../executors/workers/pool/constraints.js';
import type { PrepareRequest } from '../../executors/workers/pool/prepare.js';
import { RestorableBytes } from '../../executors/workers/pool/restorable-bytes.js';
import { largestShare } from '../../executors/workers/pool/shares.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { keptPointBytes } from '../../executors/workers/pool/workers-memory.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import type { CacheRecord } from '../../files/cache/prepared-cache.js';
import { verificationKeyToJson } from '../../files/snarkjs/groth16-json.js';
import { checkCoefficientSignals, countCoefficients, readZkey, type Zkey } from '../../files/snarkjs/zkey.js';
import { pairings } from '../pairings.js';
import type { LoadedKey, MadeProof, ProofCall, ProofContext, ProofRequest } from '../proof-system.js';
import { expectFinished, expectVerificationKey, type KeyExpectations } from './expected-key.js';
import type { Groth16KeyDescription, Groth16ProvingKey, KeyContents } from './key.js';
import { loadDeferredCode } from './load-deferred-code.js';
import { makeProof } from './make-proof.js';
import type { MaskedKey } from './masked-key.js';
import { GROTH16_PARTS, GROUP_COST, type Groth16Part, mapParts } from './parts.js';
import { PlacedKey, workerShares } from './placement.js';
import { DeviceQuotient } from './quotient.js';
import { Verifier } from './verify.js';

/** A loaded proving key, with its verification key, which is checked when it is first needed. */
class LoadedGroth16Key implements Groth16ProvingKey, LoadedKey<Groth16Proof, Groth16KeyDescription> {
  readonly description: Groth16KeyDescription;
  readonly places: PlacedKey;
  private checkedVerifier: Promise<Verifier> | undefined;
  private maskedKey: MaskedKey | undefined;

  constructor(
    private readonly context: ProofContext,
    readonly contents: KeyContents,
  ) {
    this.description = { ...contents.facts, verificationKey: contents.verificationKey };
    this.places = new PlacedKey(context, contents);
  }

  get curve(): CurveId {
    return this.contents.curve;
  }

  get variables(): number {
    return this.contents.facts.variables;
  }

  get precomputation(): KeyContents['precomputation'] {
    return this.contents.precomputation;
  }

  async masked(): Promise<MaskedKey> {
    const { MaskedKey } = await loadDeferredCode('constant work');
    this.maskedKey ??= new MaskedKey(this.context, this.contents);
    return this.maskedKey;
  }

  prove(call: ProofCall, witness: HostScalars, request: ProofRequest): Promise<MadeProof<Groth16Proof>> {
    return makeProof(this.context, this, call, witness, request);
  }

  release(): void {
    const { precomputation, vectors, matrices, deviceQuotient, source } = this.contents;
    precomputation?.release();
    for (const loaded of [...Object.values(vectors), ...matrices, deviceQuotient]) loaded?.release();
    void source.close();
  }

  /**
   * Made at the first use, without the signal of a call, because other calls may wait for it, too. After a failure the
   * next call retries.
   */
  verifier(): Promise<Verifier> {
    const { curve, verificationKey } = this.contents;
    const arithmetic = pairings(this.context.pool, curve, undefined);
    // Whether the key may be unfinished was decided when it was loaded.
    this.checkedVerifier ??= Verifier.create(arithmetic, verificationKey, true).catch((error) => {
      this.checkedVerifier = undefined;
      throw error;
    });
    return this.checkedVerifier;
  }
}

/** A proof has MSMs over both groups: over G2 for its part B2. */
export const GROTH16_GROUPS: readonly GroupId[] = ['g1', 'g2'];

/** What counting a byte of the coefficients costs, as a part of preparing a point of G1. */
const COUNT_COST = 0.0005;

/** The prepared vectors of a key. The cache keeps only these; everything else is read from the file each time. */
type PreparedVectors = Readonly<Record<Groth16Part, PreparedBases>>;

/**
 * Reads, checks and prepares a .zkey (or takes its prepared points from the cache), and copies it to where it will be
 * used.
 */
export async function loadKey(
  context: ProofContext,
  call: ProofCall,
  source: LoadedSource,
  { precompute, ...tuning }: LoadedTuning,
  { verificationKey: pinned, allowUnfinished = false }: KeyExpectations = {},
): Promise<{ key: LoadedGroth16Key; cached: boolean }> {
  const { cache, pool } = context;
  // This comes first, so that a file of another kind is reported at once.
  const zkey = await call.span('read', 'host', () => readZkey(source));
  const { curve, facts, points } = zkey;
  if (pinned !== undefined) expectVerificationKey(zkey, pinned);
  if (!allowUnfinished) expectFinished(points.gamma2, points.delta2);
  const opened = context.openCurve(curve, GROTH16_GROUPS);
  // Awaited below; a failure must not count as unhandled while the cache is being read.
  opened.catch(() => undefined);
  const plan = `groth16/${curve}`;
  const known = await cache.load(call, plan, source, (record) => vectorsFromRecord(record, zkey));
  await opened;
  const { alpha1: g1, beta2: g2 } = points;
  const { signal } = call;
  const onProgress = call.meter('prepare', zkey.coefficients.size * COUNT_COST);
  const [vectors, counts, alphaBeta] = await Promise.all([
    known ?? prepareVectors(context, call, zkey),
    call.span('read', 'host', () => countCoefficients(zkey, signal, onProgress)),
    pool.call(curve, 'pairing', { g1, g2 }, { signal: call.signal, urgent: true }),
    expectMembers(context, call, zkey),
  ]);
  const onWorkers = context.executorOf(curve, 'g1') === 'wasm';
  const shares = ownMembers(onWorkers ? workerShares(pool.size, vectors, facts.domainSize) : {});
  // Whatever a GPU does, the workers must be able to serve as its fallback.
  const bytes = GROTH16_PARTS.map((part) => {
    const { group, kept } = vectors[part];
    return largestShare(kept, pool.size, shares[part]) * keptPointBytes(curve, group);
  });
  pool.memory.expectAtLeast(Math.max(...counts.map(matrixBytes), ...bytes), 'this key');
  // Only a device takes the whole section at once.
  const coefficients = context.gpuPolynomials(curve) && (await readCoefficients(zkey));
  const entries = new RestorableBytes(coefficients, () => readCoefficients(zkey));
  const matrixOf = (matrix: 0 | 1): ConstraintMatrix => {
    const source = { matrix, rows: zkey.coefficients, count: counts[matrix], domainSize: facts.domainSize };
    return new ConstraintMatrix(pool, curve, source, matrix % pool.size);
  };
  const held = mapParts((part) => context.hold(vectors[part], prepareRequest(zkey, part), shares[part]));
  const precomputation = await context.precompute({ ...tuning, precompute, plan, source, vectors: held });
  const renewable = renewableVectors({ plan, source, precomputation, bases: held }, context, zkey);
  const contents: KeyContents = {
    source,
    curve,
    facts,
    points,
    verificationKey: verificationKeyToJson(curve, points, alphaBeta),
    vectors: held,
    matrices: [matrixOf(0), matrixOf(1)],
    deviceQuotient: deviceQuotientOf(context, zkey, held.H, entries),
    tuning,
    precomputation,
    cachedPoints: new CachedPoints(context, renewable),
  };
  const key = new LoadedGroth16Key(context, contents);
  try {
    const [onDevice] = await Promise.all([
      loadConstraints(contents, call),
      ...GROTH16_PARTS.map((part) => held[part].load({ signal, observer: call.observer(part) })),
    ]);
    await precomputation?.load(call);
    // What must be loaded again later is read from the source again. Points may still be on their way to the GPU and to
    // the cache.
    contents.cachedPoints.keep(vectors);
    void onDevice.settled.then(() => entries.free());
  } catch (error) {
    key.release();
    throw error;
  }
  return { key, cached: known !== undefined };
}

/**
 * `INVALID_POINT` if a point of the header is outside of the subgroup of prime order. The points of the vectors are
 * checked when they are prepared.
 */
async function expectMembers({ pool }: ProofContext, { signal }: ProofCall, { curve, points }: Zkey): Promise<void> {
  const { alpha1, beta1, delta1, ic, beta2, gamma2, delta2 } = points;
  const ofGroups = { g1: { alpha1, beta1, delta1 }, g2: { beta2, gamma2, delta2 } } as const;
  const areMembers = (group: GroupId, some: readonly Uint8Array[]): Promise<boolean> =>
    pool.call(curve, 'isInSubgroup', { group, points: joinBytes(some) }, { signal, urgent: true });
  const named = Object.entries(ofGroups).flatMap(([group, ofGroup]) =>
    Object.entries(ofGroup).map(([name, point]) => ({ group: group as GroupId, name, some: [point] })),
  );
  const checks = [...named, { group: 'g1', name: 'IC', some: ic } as const];
  const found = await Promise.all(checks.map(({ group, some }) => areMembers(group, some)));
  const outside = checks.find((_, i) => !found[i]);
  if (outside === undefined) return;
  throw new PippinError(
    'INVALID_POINT',
    `expected ${outside.name} of the key in the subgroup of prime order, got a point outside of it`,
  );
}

/** The quotient polynomials on the GPU, if there is one, and if the MSM over H takes all of their values as scalars. */
function deviceQuotientOf(
  context: ProofContext,
  { curve, facts }: Zkey,
  sum: LoadedBases,
  entries: RestorableBytes,
): DeviceQuotient | undefined {
  const device = context.gpuPolynomials(curve);
  const { kept, count, exceptional } = sum.outline;
  const takesAll = kept === count && exceptional.length === 0;
  return device === undefined || !takesAll ? undefined : new DeviceQuotient(device, sum, entries, facts);
}

/**
 * Brings the constraints to where the next quotient is computed. Returns when they need no more to be at hand: they may
 * still be on their way to the GPU, for later ones.
 */
async function loadConstraints(
  { matrices, deviceQuotient }: KeyContents,
  call: ProofCall,
): Promise<{ readonly settled: Promise<void> }> {
  const { signal } = call;
  if (deviceQuotient?.takesPart) {
    await call.span('upload', 'webgpu', () => deviceQuotient.load(signal));
    if (deviceQuotient.takesPart) return { settled: Promise.resolve() };
  }
  const settled = deviceQuotient?.mayTakePart ? deviceQuotient.load().catch(() => undefined) : Promise.resolve();
  await call.span('distribute', 'wasm', () =>
    Promise.all(matrices.map((matrix) => matrix.load(signal, call.meter('distribute', 1)))),
  );
  return { settled };
}

async function prepareVectors({ pool }: ProofContext, call: BasesCall, zkey: Zkey): Promise<PreparedVectors> {
  const meters = mapParts((part) => {
    const { group, count } = zkey.vectors[part];
    return call.meter('prepare', Math.max(1, count) * GROUP_COST[group]);
  });
  const prepare = async (part: Groth16Part): Promise<readonly [Groth16Part, PreparedBases]> => {
    const options = { signal: call.signal, onProgress: meters[part] };
    const request = prepareRequest(zkey, part);
    const bases = await call.span(
      'prepare',
      'wasm',
      () => prepareMembers(pool, request, `the points of ${part}`, options),
      part,
    );
    meters[part](1);
    return [part, bases];
  };
  return Object.fromEntries(await Promise.all(GROTH16_PARTS.map(prepare))) as PreparedVectors;
}

/**
 * The vectors, and how they are prepared again. It is made here so that its closures do not keep the first points in
 * memory.
 */
function renewableVectors(
  loaded: Pick<RenewableVectors<Groth16Part>, 'plan' | 'source' | 'precomputation' | 'bases'>,
  context: ProofContext,
  zkey: Zkey,
): RenewableVectors<Groth16Part> {
  return {
    ...loaded,
    requests: mapParts((part) => prepareRequest(zkey, part)),
    prepare: (call) => prepareVectors(context, call, zkey),
    toRecord: vectorsToRecord,
  };
}

function prepareRequest({ curve, vectors }: Zkey, part: Groth16Part): PrepareRequest {
  const { group, count, bytes } = vectors[part];
  return { curve, group, encoding: 'montgomery', count, points: bytes };
}

async function readCoefficients({ coefficients, facts }: Zkey): Promise<Uint8Array> {
  const rows = await coefficients.read(0, coefficients.size);
  checkCoefficientSignals(rows, facts);
  return rows;
}

function vectorsToRecord(vectors: PreparedVectors): CacheRecord {
  const records = mapParts((part) => preparedToRecord(part, vectors[part]));
  return {
    facts: mapParts((part) => records[part].facts),
    arrays: Object.assign({}, ...GROTH16_PARTS.map((part) => records[part].arrays)),
  };
}

/** The vectors of a record, or a few words on why the record does not fit this key. */
async function vectorsFromRecord({ facts, arrays }: CacheRecord, zkey: Zkey): Promise<PreparedVectors | string> {
  const ofParts = ownMembers(facts);
  const vectors = await Promise.all(
    GROTH16_PARTS.map((part) => preparedFromRecord(part, ofParts[part], arrays, prepareRequest(zkey, part))),
  );
  const damage = vectors.find((vector) => typeof vector === 'string');
  if (damage !== undefined) return damage;
  return Object.fromEntries(GROTH16_PARTS.map((part, i) => [part, vectors[i]])) as PreparedVectors;
}
