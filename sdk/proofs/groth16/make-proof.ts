import type { Groth16Proof } from '../../api/index.js';
import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { wipeAndFree } from '../../base/free-memory.js';
import type { MsmExecutor } from '../../bases/backend.js';
import { type HostScalars, type ScalarVector, SharedScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { proofToJson } from '../../files/snarkjs/groth16-json.js';
import { g2PointToJson, pointToJson } from '../../files/snarkjs/json-values.js';
import type { Way } from '../../recovery/attempt.js';
import { pairings } from '../pairings.js';
import { GPU_FAULT, type MadeProof, type ProofCall, type ProofContext, type ProofRequest } from '../proof-system.js';
import type { Groth16ProvingKey } from './key.js';
import { loadDeferredCode } from './load-deferred-code.js';
import type { ProofMasks } from './masked-key.js';
import { type Groth16Part, mapParts, workOfPart } from './parts.js';
import { PARTS_ON_WORKERS, type Placement, placementOf } from './placement.js';
import { type MsmsOfB, prove, randomBlinding } from './prove.js';
import { QuotientPolynomial } from './quotient.js';
import type { VerificationAhead } from './verify.js';

/** What all attempts at one proof are made of. */
interface ProofInput {
  /** The witness, masked if there are masks. */
  readonly signals: SharedScalars;
  readonly quotient: QuotientPolynomial;
  /** The masks of a proof of constant work. */
  readonly masks: ProofMasks | undefined;
  /** Undefined if the proof is not to be verified. */
  readonly publicSignals: readonly string[] | undefined;
}

/** A proof, what computed each of its parts, and what tells where the fault is if the proof does not hold. */
interface ComputedProof {
  readonly proof: Groth16Proof;
  readonly executors: ReadonlyMap<Groth16Part, readonly MsmExecutor[]>;
  /** The MSMs over B1 and B2, which tell whether the key is wrong. */
  readonly sums: MsmsOfB;
  /** Its verification, as far as it was possible while C was computed. */
  readonly ahead: Promise<VerificationAhead> | undefined;
}

/**
 * Makes a proof for a witness by the executors that the key is placed on. A proof that does not hold is computed again
 * as the table of recovery says; if the last one does not hold either, the witness or the key is wrong:
 * `PROOF_INVALID`. What followed from the witness is overwritten, well or not.
 */
export async function makeProof(
  context: ProofContext,
  key: Groth16ProvingKey,
  call: ProofCall,
  { bytes }: HostScalars,
  { verify, constantWork }: ProofRequest,
): Promise<MadeProof<Groth16Proof>> {
  const publicSignals = Array.from({ length: key.contents.facts.publicSignals }, (_, i) =>
    String(bytesToBigint(bytes, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
  );
  const witness = new SharedScalars(bytes);
  const masks = constantWork ? (await key.masked()).draw() : undefined;
  const quotient = new QuotientPolynomial(context, key.contents, witness, call, masks?.quotient);
  const signals = masks === undefined ? witness : new SharedScalars(await masks.witness.addTo(bytes, 0, call.signal));
  const release = (): void => {
    witness.release();
    signals.release();
  };
  const input = { signals, quotient, masks, publicSignals: verify ? publicSignals : undefined };
  const first = context.mayChoose ? key.places.placement : 'gpu';
  const computeAndVerify = async (way: Way): Promise<ComputedProof> => {
    const start = performance.now();
    const made = await compute(context, key, call, input, way.by === 'workers' ? 'workers' : first);
    if (context.mayChoose) key.places.note(call, placementOf(made.executors), performance.now() - start);
    release();
    if (!verify || (await holds(made, call))) return made;
    // The GPU, the witness or the key is wrong. A proof that the workers make alone shows whether it is the GPU.
    if (placementOf(made.executors) !== 'workers') throw new PippinError('PROOF_INVALID', GPU_FAULT);
    way.by = 'workers';
    throw await failureOf(context, key, call, made);
  };
  try {
    const { proof } = await key.contents.cachedPoints.use(call, computeAndVerify);
    return { proof, publicSignals };
  } finally {
    release();
    quotient.free();
    if (masks !== undefined) wipeAndFree(signals.bytes);
  }
}

/** One proof with a new blinding. */
async function compute(
  context: ProofContext,
  key: Groth16ProvingKey,
  call: ProofCall,
  { signals, quotient, masks, publicSignals }: ProofInput,
  placement: Placement,
): Promise<ComputedProof> {
  const { curve, vectors, facts, tuning } = key.contents;
  const { signal } = call;
  const arithmetic = pairings(context.pool, curve, signal);
  const executors = new Map<Groth16Part, readonly MsmExecutor[]>();
  const isForWorkers = (part: Groth16Part): boolean => PARTS_ON_WORKERS[placement].includes(part);
  const meters = mapParts((part) => call.meter('msm', workOfPart(vectors, part) / facts.domainSize));
  const msm = async (part: Groth16Part, scalars: ScalarVector): Promise<Uint8Array> => {
    const options = {
      ...tuning,
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
  let ahead: Promise<VerificationAhead> | undefined;
  const { a, b, c, sums } = await prove(
    {
      msm,
      quotient: (use) => quotient.use(use, isForWorkers('H')),
      combine: arithmetic.combine,
      finish: (work) => call.span('combine', 'wasm', work),
      report: (name, point) => {
        const toJson = name === 'B' ? g2PointToJson : pointToJson;
        call.commitment(name, toJson(curve, point));
      },
      verifyAhead: (points) => {
        if (publicSignals === undefined) return;
        ahead = key.verifier().then((verifier) => verifier.ahead(arithmetic, publicSignals, points));
        // The failure shows when the proof is verified, if nothing fails before.
        ahead.catch(() => undefined);
      },
    },
    key.contents,
    signals,
    randomBlinding(curve),
  );
  return { proof: proofToJson(curve, a, b, c), executors, ahead, sums };
}

/** Whether a proof holds, as far as its verification was begun. */
function holds({ proof, ahead }: ComputedProof, call: ProofCall): Promise<boolean> {
  return call.span('verify', 'wasm', async () => (await ahead)?.(proof) ?? false);
}

/** The error for a proof of the workers that does not hold. */
async function failureOf(
  context: ProofContext,
  key: Groth16ProvingKey,
  call: ProofCall,
  { sums }: ComputedProof,
): Promise<PippinError> {
  let code: Awaited<ReturnType<typeof loadDeferredCode>>;
  try {
    code = await loadDeferredCode('proofs that do not hold');
  } catch (cause) {
    // That the proof is invalid is known without the code that says why.
    return new PippinError('PROOF_INVALID', 'expected a proof that verifies, got one that does not', {
      cause,
      hint: 'try again: the code that finds the cause could not be loaded',
    });
  }
  const { curve, points } = key.contents;
  return code.blame(pairings(context.pool, curve, call.signal), curve, points, sums);
}
