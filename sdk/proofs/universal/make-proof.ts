import { bytesToBigint, copyBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import type { ComputedMsm, MsmExecutor } from '../../bases/backend.js';
import type { CachedPoints } from '../../bases/cached-points.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { MaskedMsm } from '../../bases/masked-msm.js';
import type { Tuning } from '../../bases/multiples.js';
import type { Precomputation } from '../../bases/precompute.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import { pointToJson } from '../../files/snarkjs/json-values.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { retryOnDeadWorker, type Way } from '../../recovery/attempt.js';
import { pairings } from '../pairings.js';
import type { ProofPart } from '../parts.js';
import { GPU_FAULT, type MadeProof, type ProofCall, type ProofContext, type ProofRequest } from '../proof-system.js';
import type { KeyPolynomials } from './key-polynomials.js';
import type { PlacedPolynomials } from './placed-polynomials.js';
import type { UniversalProtocolContext, UniversalSystem, UniversalVerifier, UniversalZkey, Wires } from './system.js';

/** The contents of a loaded key. */
export interface UniversalKey<Zkey extends UniversalZkey = UniversalZkey> {
  readonly zkey: Zkey;
  readonly polynomials: PlacedPolynomials;
  /** What it was read from, and what must be loaded again is read from. */
  readonly source: LoadedSource;
  readonly powers: LoadedBases;
  /** MSMs of constant work over the powers. */
  readonly masked: MaskedMsm;
  readonly tuning: Tuning;
  /** What gives the powers multiples; undefined if the caller wants none. */
  readonly precomputation: Precomputation | undefined;
  /** Replaces the powers if the cache gave wrong ones. */
  readonly cachedPoints: CachedPoints<'powers'>;
  /** What verifies its proofs. Its verification key is checked when it is first needed. */
  verifier(): Promise<UniversalVerifier>;
}

/** The weight of the quotient polynomial in a proof's progress, relative to an MSM. */
const QUOTIENT_WEIGHT = 3;

/** A proof, and what computed its MSMs and its vectors. */
interface ComputedProof {
  readonly proof: unknown;
  readonly executors: ReadonlySet<MsmExecutor>;
}

/**
 * Makes a proof for a witness. A proof that does not hold is computed again as the table of recovery says; if the last
 * one does not hold either, the witness or the key is wrong: `PROOF_INVALID`. What followed from the witness is
 * overwritten, well or not.
 */
export async function makeUniversalProof(
  system: UniversalSystem,
  context: ProofContext,
  key: UniversalKey,
  call: ProofCall,
  { bytes, verify, constantWork }: HostScalars & ProofRequest,
): Promise<MadeProof<unknown>> {
  const { curve, facts } = key.zkey;
  const publicSignals = Array.from({ length: facts.publicSignals }, (_, i) =>
    bytesToBigint(bytes, (i + 1) * SCALAR_BYTES, SCALAR_BYTES),
  );
  const publicJson = publicSignals.map(String);
  const computeAndVerify = async (way: Way): Promise<ComputedProof> => {
    const placement = { trustedOnly: way.by === 'workers', constantWork };
    const made = await key.polynomials.use(call, placement, (polynomials, executor) =>
      call
        .span('constraints', executor, () => wireValues(polynomials, bytes, call))
        .then((values) =>
          compute(system, key, call, { values, publicSignals }, { ...placement, polynomials, executor }),
        ),
    );
    if (!verify) return made;
    const holds = await call.span('verify', 'wasm', async () =>
      (await key.verifier()).verify(pairings(context.pool, curve, call.signal), publicJson, made.proof),
    );
    if (holds) return made;
    // The GPU, the witness or the key is wrong. A proof that the workers make alone shows whether it is the GPU.
    if (made.executors.has('webgpu')) throw new PippinError('PROOF_INVALID', GPU_FAULT);
    way.by = 'workers';
    throw new PippinError('PROOF_INVALID', 'expected a proof that verifies, got one that does not: the key is wrong', {
      hint: 'get the key again from where it was published',
    });
  };
  const { proof } = await key.cachedPoints.use(call, computeAndVerify);
  return { proof, publicSignals: publicJson };
}

/** The values of the wires a, b and c on the domain, on the executor of a proof. The witness stays as it is. */
async function wireValues(
  { on, additions, wires }: KeyPolynomials,
  witness: Uint8Array,
  { signal }: VectorCall,
): Promise<Wires['values']> {
  const bytes = copyBytes(witness);
  // Signal 0 stands for the value 0: no wire takes the constant 1.
  bytes.fill(0, 0, SCALAR_BYTES);
  const [signals, values] = [new VectorScope(), new VectorScope()];
  try {
    const known = await signals.add(on.create(bytes));
    const all = await signals.add(on.extend(known, additions, { signal }));
    const [a, b, c] = await Promise.all(wires.map((wire) => values.add(on.gather(all, wire, { signal }))));
    return [a!, b!, c!];
  } catch (error) {
    values.end();
    throw error;
  } finally {
    signals.end();
  }
}

/** Where a proof is made. */
interface ProofPlace {
  readonly polynomials: KeyPolynomials;
  /** What computes with them. */
  readonly executor: MsmExecutor;
  /** Whether MSMs are for the workers alone. */
  readonly trustedOnly: boolean;
  readonly constantWork: boolean;
}

/** One proof with a new blinding. The wires' values are released. */
async function compute(
  system: UniversalSystem,
  key: UniversalKey,
  call: ProofCall,
  wires: Wires,
  { polynomials, executor, trustedOnly, constantWork }: ProofPlace,
): Promise<ComputedProof> {
  const { zkey, powers, masked, tuning } = key;
  const { on } = polynomials;
  const { count } = powers.outline;
  const { signal } = call;
  const executors = new Set<MsmExecutor>([executor]);
  const meters = new Map(system.parts.map((part) => [part, call.meter('msm', 1)]));
  const quotientMeter = call.meter('transform', QUOTIENT_WEIGHT);
  const commit = async (part: ProofPart, coefficients: Vector): Promise<Uint8Array> => {
    const onProgress = meters.get(part)!;
    const options = { ...tuning, signal, onProgress, observer: call.observer(part), trustedOnly };
    // A scalar for each power: zeros for the powers above the degree. It is a copy, because the proof's vectors are
    // wiped while this MSM runs if another one fails.
    const padded = await on.addMonomials(coefficients, [], count);
    const multiply = async (): Promise<ComputedMsm> => {
      const scalars = on.scalars(padded);
      if (constantWork && scalars.kind === 'host') return (await masked.multiplyBatch(scalars.bytes, 1, options))[0]!;
      const made = await powers.multiply(scalars, options);
      await on.settled?.(padded);
      return made;
    };
    const result = await multiply().finally(() => padded.release());
    for (const executor of result.executors) executors.add(executor);
    call.computedBy(part, result.executors);
    call.commitment(part as Parameters<ProofCall['commitment']>[0], pointToJson(zkey.curve, result.point));
    onProgress(1);
    return result.point;
  };
  const context: UniversalProtocolContext<ProofPart> = {
    signal,
    commit,
    // Its transforms consume what they read, so that they are not retried one by one.
    quotient: (work) => call.span('transform', executor, () => retryOnDeadWorker(() => work(quotientMeter))),
  };
  try {
    return { proof: await system.prove(context, { zkey, polynomials }, wires), executors };
  } finally {
    for (const vector of wires.values) vector.release();
  }
}
