import { joinBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { CachedPoints } from '../../bases/cached-points.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { MaskedMsm } from '../../bases/masked-msm.js';
import type { LoadedTuning } from '../../bases/multiples.js';
import type { Precomputation } from '../../bases/precompute.js';
import type { PreparedBases } from '../../bases/prepared.js';
import { preparedFromRecord, preparedToRecord } from '../../bases/prepared-record.js';
import type { RenewableVectors } from '../../bases/renewal.js';
import { poolMasks } from '../../bases/scalar-masks.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import { checkScalarsEvenly } from '../../bases/scalars.js';
import { CURVES, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { canonicalScalars } from '../../executors/workers/pool/elementwise.js';
import type { PrepareRequest } from '../../executors/workers/pool/prepare.js';
import { largestShare } from '../../executors/workers/pool/shares.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { keptPointBytes } from '../../executors/workers/pool/workers-memory.js';
import { WorkersPolynomials } from '../../executors/workers/pool/workers-polynomials.js';
import type { ByteSource } from '../../files/byte-source.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import { PLONK_POLYNOMIALS, type PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import { montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../pairings.js';
import { isTauOfPowers } from '../powers-of-tau.js';
import type { LoadedKey, MadeProof, ProofCall, ProofContext, ProofRequest } from '../proof-system.js';
import { KeyPolynomials, type KeyVectors, type KeyWiring } from './key-polynomials.js';
import { makeUniversalProof, type UniversalKey } from './make-proof.js';
import { PlacedPolynomials } from './placed-polynomials.js';
import type { UniversalSystem, UniversalVerifier, UniversalZkey } from './system.js';

/** A proof has MSMs over G1 alone. */
export const UNIVERSAL_GROUPS: readonly GroupId[] = ['g1'];

/** What the caller says about a key. */
export interface UniversalKeyExpectations {
  /** The verification key that it must have, as plain JSON; any if it is left out. */
  readonly verificationKey?: unknown;
}

/** A loaded proving key. */
class LoadedUniversalKey implements LoadedKey {
  constructor(
    private readonly system: UniversalSystem,
    private readonly context: ProofContext,
    private readonly key: UniversalKey,
    readonly description: object,
  ) {}

  get curve(): CurveId {
    return this.key.zkey.curve;
  }

  get variables(): number {
    return this.key.zkey.facts.variables;
  }

  get precomputation(): Precomputation | undefined {
    return this.key.precomputation;
  }

  prove(call: ProofCall, witness: HostScalars, request: ProofRequest): Promise<MadeProof<unknown>> {
    return makeUniversalProof(this.system, this.context, this.key, call, { ...witness, ...request });
  }

  release(): void {
    const { precomputation, powers, polynomials, source } = this.key;
    precomputation?.release();
    powers.release();
    polynomials.release();
    void source.close();
  }
}

/**
 * Reads, checks and prepares a .zkey (or takes its prepared powers from the cache), and copies it to where it will be
 * used. Of its evaluations and Lagrange polynomials, three quarters of the file, nothing is read.
 */
export async function loadUniversalKey(
  system: UniversalSystem,
  context: ProofContext,
  { call, source }: { readonly call: ProofCall; readonly source: LoadedSource },
  { precompute, ...tuning }: LoadedTuning,
  { verificationKey: pinned }: UniversalKeyExpectations = {},
): Promise<{ key: LoadedKey; cached: boolean }> {
  const { cache, pool } = context;
  const { signal } = call;
  const zkey = await call.span('read', 'host', () => system.readZkey(source));
  const { curve, facts } = zkey;
  if (pinned !== undefined) system.expectVerificationKey(zkey, pinned);
  const opened = context.openCurve(curve, UNIVERSAL_GROUPS);
  // Awaited below; a failure must not count as unhandled while the cache is being read.
  opened.catch(() => undefined);
  const plan = `${system.protocol}/${curve}`;
  const request = powersRequest(zkey);
  const known = await cache.load(call, plan, source, ({ facts, arrays }) =>
    preparedFromRecord('powers', ownMembers(facts as { powers?: unknown }).powers, arrays, request),
  );
  await opened;
  // Vectors on the workers need it. It is downloaded beside the key; a failure shows when it is needed.
  pool.module(curve, 'elements').catch(() => undefined);
  const wiringRead = call.span('read', 'host', () => readWiring(zkey));
  const [prepared, wiring, ofWorkers] = await Promise.all([
    known ?? preparePowers(context, call, request),
    wiringRead,
    call.span('read', 'host', () => loadPolynomials(context, call, zkey, wiringRead)),
    expectPowers(context, call, zkey),
  ]);
  // Whatever a GPU does, the workers must be able to serve as its fallback.
  const share = largestShare(prepared.kept, pool.size, undefined) * keptPointBytes(curve, 'g1');
  pool.memory.expectAtLeast(share, 'this key');
  const powers = context.hold(prepared, request);
  const precomputation = await context.precompute({ ...tuning, precompute, plan, source, vectors: { powers } });
  const renewable = renewablePowers({ plan, source, precomputation }, powers, context, request);
  const verificationKey = system.verificationKeyOf(zkey);
  const contents: UniversalKey = {
    zkey,
    source,
    polynomials: new PlacedPolynomials(context, powers, ofWorkers, wiring),
    powers,
    masked: new MaskedMsm(
      { bases: powers, masks: poolMasks(pool, curve), first: 0, check: undefined },
      context.arithmeticFor,
    ),
    tuning,
    precomputation,
    cachedPoints: new CachedPoints(context, renewable),
    verifier: onceMade(() => system.createVerifier(pairings(pool, curve, undefined), verificationKey)),
  };
  const key = new LoadedUniversalKey(system, context, contents, { ...facts, verificationKey });
  try {
    contents.polynomials.prepare();
    await powers.load({ signal, observer: call.observer() });
    await precomputation?.load(call);
  } catch (error) {
    key.release();
    throw error;
  }
  contents.cachedPoints.keep({ powers: prepared });
  return { key, cached: known !== undefined };
}

/** Makes the verifier at the first use, without the signal of a call; after a failure the next call retries. */
function onceMade(make: () => Promise<UniversalVerifier>): () => Promise<UniversalVerifier> {
  let made: Promise<UniversalVerifier> | undefined;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

function powersRequest({ curve, powers }: UniversalZkey): PrepareRequest {
  const { group, count, bytes } = powers;
  return { curve, group, encoding: 'montgomery', count, points: bytes };
}

function preparePowers({ pool }: ProofContext, call: ProofCall, request: PrepareRequest): Promise<PreparedBases> {
  const onProgress = call.meter('prepare', Math.max(1, request.count));
  return call.span('prepare', 'wasm', () =>
    prepareMembers(pool, request, 'the powers of tau', { signal: call.signal, onProgress }),
  );
}

/**
 * `MALFORMED_FILE` unless the powers begin with the generator of G1 and with tau times it, for the tau of X_2. Later
 * ones are not compared: with wrong ones no proof would verify.
 */
async function expectPowers(
  { pool }: ProofContext,
  { signal }: ProofCall,
  { curve: id, powers, points: { X_2 } }: UniversalZkey,
): Promise<void> {
  const size = pointBytes(id, 'g1');
  const canonical = montgomeryReader(CURVES[id]);
  const first = await powers.bytes.read(0, 2 * size);
  const [one, tau] = [0, 1].map((i) => canonical(first.subarray(i * size, (i + 1) * size), `power ${i} of tau`));
  if (await isTauOfPowers(pairings(pool, id, signal), id, joinBytes([one!, tau!]), X_2)) return;
  throw new PippinError('MALFORMED_FILE', 'expected powers of the tau that X_2 of the key has, got others');
}

/** The key's polynomials and wiring on the workers. */
async function loadPolynomials(
  { pool }: ProofContext,
  { signal }: ProofCall,
  { curve, polynomials }: UniversalZkey,
  wiringRead: Promise<KeyWiring>,
): Promise<KeyPolynomials> {
  const read = async (name: PlonkPolynomial): Promise<readonly [PlonkPolynomial, Uint8Array]> => {
    const source = polynomials[name];
    const bytes = newBytes(source.size);
    bytes.set(await source.read(0, source.size));
    expectBelowOrder(curve, bytes, name);
    await canonicalScalars(pool, curve, bytes, signal);
    return [name, bytes];
  };
  const coefficients = Object.fromEntries(await Promise.all(PLONK_POLYNOMIALS.map(read))) as KeyVectors['coefficients'];
  const on = new WorkersPolynomials(pool, curve);
  const wiring = await wiringRead;
  return KeyPolynomials.load(on, { coefficients, wiring }, pool.memory.budget.isLimited, { signal });
}

/** `MALFORMED_FILE` unless all coefficients of a polynomial are below r. */
function expectBelowOrder(curve: CurveId, coefficients: Uint8Array, name: string): void {
  try {
    checkScalarsEvenly(curve, coefficients, coefficients.length / SCALAR_BYTES);
  } catch (cause) {
    throw new PippinError('MALFORMED_FILE', `expected coefficients of ${name} below r, got one that is not`, { cause });
  }
}

/**
 * The additions, and the signals on the wires of n gates: gates that the circuit does not have connect signal 0.
 * `MALFORMED_FILE` names a signal that the key does not have.
 */
async function readWiring({ facts, additions, maps }: UniversalZkey): Promise<KeyWiring> {
  const { domainSize, variables } = facts;
  const end = variables + facts.additions;
  const read = async (map: ByteSource, wire: number): Promise<Uint8Array> => {
    const signals = new Uint32Array(domainSize);
    const bytes = new Uint8Array(signals.buffer);
    bytes.set(await map.read(0, map.size));
    const bad = signals.findIndex((signal) => signal >= end);
    if (bad < 0) return bytes;
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a signal below ${end} on wire ${'abc'[wire]} of gate ${bad}, got ${signals[bad]}`,
    );
  };
  const [rows, ...wires] = await Promise.all([additions.read(0, additions.size), ...maps.map(read)]);
  return { variables, additions: rows!, wires };
}

/**
 * The powers, and how they are prepared again. It is made here so that its closures do not keep the first points in
 * memory.
 */
function renewablePowers(
  loaded: Pick<RenewableVectors<'powers'>, 'plan' | 'source' | 'precomputation'>,
  powers: LoadedBases,
  context: ProofContext,
  request: PrepareRequest,
): RenewableVectors<'powers'> {
  return {
    ...loaded,
    bases: { powers },
    requests: { powers: request },
    prepare: async (call) => ({ powers: await preparePowers(context, call as ProofCall, request) }),
    toRecord: ({ powers: prepared }) => {
      const { facts, arrays } = preparedToRecord('powers', prepared);
      return { facts: { powers: facts }, arrays };
    },
  };
}
