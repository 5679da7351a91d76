import type { Groth16Proof } from '../../api/index.js';
import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { wipe, wipeAndFree } from '../../base/free-memory.js';
import type { MsmExecutor } from '../../bases/backend.js';
import { type HostScalars, type ScalarVector, SharedScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { g2PointToJson, pointToJson, proofToJson } from '../../files/snarkjs/proof-json.js';
import type { Way } from '../../recovery/attempt.js';
import type { MadeProof, ProofCall, ProofContext, ProofRequest } from '../proof-system.js';
import { assembleA, assembleB, assembleC, blindC, type Combine } from './assemble.js';
import type { SumsOfB } from './blame.js';
import { randomBlinding, wipeBlinding } from './blinding.js';
import type { Groth16Key } from './key.js';
import { loadBlame } from './load-blame.js';
import type { ProofMasks } from './masked-key.js';
import { pairings } from './pairings.js';
import { type Groth16Part, mapParts } from './parts.js';
import { PARTS_ON_WORKERS, type Placement, placementOf } from './placement.js';
import { Quotients } from './quotients.js';
import type { VerificationAhead } from './verify.js';
import { workOf } from './work.js';

/** A proof, what computed each of its sums, and those of them that tell where the fault is if the proof does not hold. */
interface ComputedProof {
  readonly proof: Groth16Proof;
  readonly executors: ReadonlyMap<Groth16Part, readonly MsmExecutor[]>;
  /** What tells whether the key is wrong. */
  readonly sums: SumsOfB;
  /** Its verification, as far as it was possible while C was computed. */
  readonly ahead: Promise<VerificationAhead> | undefined;
}

/** Why the GPU is not to be trusted, if the workers make a proof that holds where the one made with it does not. */
const GPU_FAULT = 'a proof made with it did not verify, and the same proof made without it does';

/** What the sums of a proof are made of. */
interface ProofScalars {
  /** The witness, masked if there are masks. */
  readonly signals: SharedScalars;
  readonly quotients: Quotients;
  /** Those of a proof of constant work. */
  readonly masks: ProofMasks | undefined;
}

/** Begins to verify a proof of which A and B are being made. */
type Verification = (points: Promise<readonly [a: Uint8Array, b: Uint8Array]>) => Promise<VerificationAhead>;

/**
 * A Groth16 proof for a witness. The sums over A, B1, B2 and C need only the witness and start at once; the sum over H waits for the
 * quotient. A proof that does not hold is computed again as the table of recovery says; if the last one does not hold either, the witness or the key is
 * wrong: `PROOF_INVALID`. The witness and what followed from it are overwritten, well or not.
 */
export async function prove(
  context: ProofContext,
  key: Groth16Key,
  { bytes }: HostScalars,
  call: ProofCall,
  { verify, constantWork }: ProofRequest,
): Promise<MadeProof<Groth16Proof>> {
  const publicSignals = Array.from({ length: key.facts.publicSignals }, (_, i) =>
    String(bytesToBigint(bytes, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
  );
  const verification: Verification | undefined = verify
    ? (points) => key.verifyAhead(call, publicSignals, points)
    : undefined;
  const witness = new SharedScalars(bytes);
  const masks = constantWork ? (await key.masked()).draw() : undefined;
  const quotients = new Quotients(context, key, witness, call, masks?.quotient);
  const signals = masks === undefined ? witness : new SharedScalars(await masks.witness.addTo(bytes, 0, call.signal));
  const release = (): void => {
    witness.release();
    signals.release();
  };
  const compute = async (placement: Placement): Promise<ComputedProof> => {
    const start = performance.now();
    const made = await computeProof(context, key, { signals, quotients, masks }, call, verification, placement);
    if (context.mayChoose) key.notePlacement(call, placementOf(made.executors), performance.now() - start);
    return made;
  };
  const holds = ({ proof, ahead }: ComputedProof): Promise<boolean> =>
    call.span('verify', 'wasm', async () => ahead === undefined || (await ahead)(proof));
  const failure = async ({ sums }: ComputedProof): Promise<PippinError> => {
    let code: Awaited<ReturnType<typeof loadBlame>>;
    try {
      code = await loadBlame();
    } catch (cause) {
      // That the proof is invalid is known without the code that says why.
      return new PippinError('PROOF_INVALID', 'expected a proof that verifies, got one that does not', {
        cause,
        hint: 'try again: the code that finds the cause could not be loaded',
      });
    }
    return code.blame(pairings(context.pool, key.curve, call.signal), key.curve, key.points, sums);
  };
  const first = context.mayChoose ? key.placement : 'gpu';
  const computeAndVerify = async (way: Way): Promise<ComputedProof> => {
    const made = await compute(way.by === 'workers' ? 'workers' : first);
    release();
    if (!verify || (await holds(made))) return made;
    // The GPU, the witness or the key is wrong. A proof that the workers make alone shows whether it is the GPU.
    if (placementOf(made.executors) !== 'workers') throw new PippinError('PROOF_INVALID', GPU_FAULT);
    way.by = 'workers';
    throw await failure(made);
  };
  try {
    const made = await key.cachedPoints.use(call, computeAndVerify);
    wipeAndFree(bytes, signals.bytes);
    return { proof: made.proof, publicSignals };
  } finally {
    release();
    quotients.free();
    wipe(bytes, signals.bytes);
  }
}

/** One proof with a new blinding. */
async function computeProof(
  { pool }: ProofContext,
  key: Groth16Key,
  { signals: witness, quotients, masks }: ProofScalars,
  call: ProofCall,
  verification: Verification | undefined,
  placement: Placement,
): Promise<ComputedProof> {
  const { curve, points, vectors, facts } = key;
  const { signal } = call;
  const blinding = randomBlinding(curve);
  const executors = new Map<Groth16Part, readonly MsmExecutor[]>();
  const isForWorkers = (part: Groth16Part): boolean => PARTS_ON_WORKERS[placement].includes(part);
  const combine: Combine = (args) => pool.call(curve, 'combine', args, { signal, urgent: true });
  const meters = mapParts((part) => call.meter('msm', workOf(vectors, part) / facts.domainSize));
  const sum = async (part: Groth16Part, scalars: ScalarVector): Promise<Uint8Array> => {
    const options = {
      ...key.tuning,
      signal,
      onProgress: meters[part],
      observer: call.observer(part),
      trustedOnly: isForWorkers(part),
    };
    const made = await vectors[part].multiply(scalars, options);
    const result = masks === undefined ? made : await masks.unmask(part, made, options);
    executors.set(part, result.executors);
    call.computedBy(part, result.executors);
    meters[part](1);
    return result.point;
  };
  const signals = witness.slice();
  // The quotient comes first, because the sum over H waits for it.
  const sums = {
    H: quotients.use((scalars) => sum('H', scalars), isForWorkers('H')),
    A: sum('A', signals),
    B2: sum('B2', signals),
    B1: sum('B1', signals),
    C: sum('C', witness.slice(facts.publicSignals + 1)),
  };
  const makeA = async (): Promise<Uint8Array> => {
    const a = await assembleA(combine, points, await sums.A, blinding);
    call.commitment('A', pointToJson(curve, a));
    return a;
  };
  const makeB = async (): Promise<Uint8Array> => {
    const b = await assembleB(combine, points, await sums.B2, blinding);
    call.commitment('B', g2PointToJson(curve, b));
    return b;
  };
  const makingA = makeA();
  const makingB = makeB();
  const makingAB = Promise.all([makingA, makingB]);
  const ahead = verification?.(makingAB);
  // A failure shows when the proof is verified, if nothing fails below.
  ahead?.catch(() => undefined);
  const blindingC = Promise.all([makingA, sums.B1]).then(([a, B1]) => blindC(combine, points, a, B1, blinding));
  // Not before all that use it have ended, also where one has failed: with zeros in its place they would tell points that nothing hides.
  void Promise.allSettled([makingA, makingB, blindingC]).then(() => wipeBlinding(blinding));
  const [[a, b], blind, H, B2, B1, C] = await Promise.all([makingAB, blindingC, sums.H, sums.B2, sums.B1, sums.C]);
  const c = await call.span('combine', 'wasm', () => assembleC(combine, { C, H }, blind));
  call.commitment('C', pointToJson(curve, c));
  return { proof: proofToJson(curve, a, b, c), executors, ahead, sums: { B1, B2 } };
}
