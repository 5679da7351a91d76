import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { wipe, wipeAndFree } from '../../base/free-memory.js';
import type { MsmExecutor } from '../../bases/backend.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { pointToJson } from '../../files/snarkjs/proof-json.js';
import type { Vector } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { retryOnDeadWorker, type Way } from '../../recovery/attempt.js';
import { pairings } from '../pairings.js';
import type { ProofPart } from '../parts.js';
import { GPU_FAULT, type MadeProof, type ProofCall, type ProofContext, type ProofRequest } from '../proof-system.js';
import type { UniversalKey } from './key.js';
import type { UniversalProtocolContext, UniversalSystem, Wires } from './system.js';

/** The weight of the quotient polynomial in a proof's progress, relative to an MSM. */
const QUOTIENT_WEIGHT = 3;

/** A proof, and what computed its MSMs. */
interface ComputedProof {
  readonly proof: unknown;
  readonly executors: ReadonlySet<MsmExecutor>;
}

/**
 * Makes a proof for a witness. A proof that does not hold is computed again as the table of recovery says; if the last
 * one does not hold either, the witness or the key is wrong: `PROOF_INVALID`. The witness and what followed from it are
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
  const scope = new VectorScope();
  const publicSignals = Array.from({ length: facts.publicSignals }, (_, i) =>
    bytesToBigint(bytes, (i + 1) * SCALAR_BYTES, SCALAR_BYTES),
  );
  const publicJson = publicSignals.map(String);
  try {
    const values = await call.span('constraints', 'wasm', () => wireValues(context, key, call, bytes, scope));
    wipeAndFree(bytes);
    const computeAndVerify = async (way: Way): Promise<ComputedProof> => {
      const made = await compute(system, key, call, { values, publicSignals }, { way, constantWork });
      if (!verify) return made;
      const holds = await call.span('verify', 'wasm', async () =>
        (await key.verifier()).verify(pairings(context.pool, curve, call.signal), publicJson, made.proof),
      );
      if (holds) return made;
      // The GPU, the witness or the key is wrong. A proof that the workers make alone shows whether it is the GPU.
      if (made.executors.has('webgpu')) throw new PippinError('PROOF_INVALID', GPU_FAULT);
      way.by = 'workers';
      throw new PippinError(
        'PROOF_INVALID',
        'expected a proof that verifies, got one that does not: the key is wrong',
        {
          hint: 'get the key again from where it was published',
        },
      );
    };
    const { proof } = await key.cachedPoints.use(call, computeAndVerify);
    return { proof, publicSignals: publicJson };
  } finally {
    scope.end();
    wipe(bytes);
  }
}

/** The values of the wires a, b and c on the domain. */
async function wireValues(
  { pool }: ProofContext,
  { zkey: { curve, facts }, wiring, polynomials: { on } }: UniversalKey,
  { signal }: ProofCall,
  witness: Uint8Array,
  scope: VectorScope,
): Promise<Wires['values']> {
  const all = await scope.add(
    on.create(await pool.call(curve, 'wireValues', { witness, ...wiring }, { signal, urgent: true })),
  );
  const { domainSize } = facts;
  const [a, b, c] = await Promise.all(
    [0, 1, 2].map((i) => scope.add(on.slice(all, i * domainSize, (i + 1) * domainSize))),
  );
  all.release();
  return [a!, b!, c!];
}

/** One proof with a new blinding. */
async function compute(
  system: UniversalSystem,
  key: UniversalKey,
  call: ProofCall,
  wires: Wires,
  { way, constantWork }: { readonly way: Way; readonly constantWork: boolean },
): Promise<ComputedProof> {
  const { zkey, powers, masked, tuning, polynomials } = key;
  const { count } = powers.outline;
  const { signal } = call;
  const executors = new Set<MsmExecutor>();
  const meters = new Map(system.parts.map((part) => [part, call.meter('msm', 1)]));
  const quotientMeter = call.meter('transform', QUOTIENT_WEIGHT);
  const commit = async (part: ProofPart, coefficients: Vector): Promise<Uint8Array> => {
    const onProgress = meters.get(part)!;
    const trustedOnly = way.by === 'workers';
    const options = { ...tuning, signal, onProgress, observer: call.observer(part), trustedOnly };
    // A scalar for each power: zeros for the powers above the degree. It is a copy, because the proof's vectors are
    // wiped while this MSM runs if another one fails.
    const padded = await polynomials.on.addMonomials(coefficients, [], count);
    const scalars = polynomials.on.scalars(padded);
    const multiplying =
      constantWork && scalars.kind === 'host'
        ? masked.multiplyBatch(scalars.bytes, 1, options).then(([sum]) => sum!)
        : powers.multiply(scalars, options);
    const sum = await multiplying.finally(() => padded.release());
    for (const executor of sum.executors) executors.add(executor);
    call.computedBy(part, sum.executors);
    call.commitment(part as Parameters<ProofCall['commitment']>[0], pointToJson(zkey.curve, sum.point));
    onProgress(1);
    return sum.point;
  };
  const context: UniversalProtocolContext<ProofPart> = {
    signal,
    commit,
    // Its transforms consume what they read, so that they are not retried one by one.
    quotient: (work) => call.span('transform', 'wasm', () => retryOnDeadWorker(() => work(quotientMeter))),
  };
  return { proof: await system.prove(context, key, wires), executors };
}
