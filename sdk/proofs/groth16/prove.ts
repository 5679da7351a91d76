import type { Groth16Proof } from '../../api.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import type { PippinError } from '../../errors.js';
import { bytesToBigint } from '../../field/bytes.js';
import type { MsmExecutor } from '../../msm/backend.js';
import { type HostScalars, hostScalars, type ScalarVector } from '../../msm/scalar-vector.js';
import { g2PointToJson, pointToJson, proofToJson } from '../../snarkjs/proof-json.js';
import { freeMemory } from '../../transport/free-memory.js';
import type { MadeProof, ProofCall, ProofContext } from '../proof-system.js';
import { assembleA, assembleB, assembleC, type Combine } from './assemble.js';
import { blame, type SumsOfB } from './blame.js';
import { randomBlinding } from './blinding.js';
import type { Groth16Key } from './key.js';
import { pairings } from './pairings.js';
import { GROTH16_PARTS, type Groth16Part } from './parts.js';
import { Quotients } from './quotients.js';

/** The weight of a part's multiplication in a proof's progress, for each of its points. H and B2 take longer: full scalars, and G2. */
const WEIGHT: Readonly<Record<Groth16Part, number>> = { A: 1, B1: 1, B2: 3, C: 1, H: 2 };

/** A proof, what computed its sums, and those of them that tell where the fault is if the proof does not hold. */
interface ComputedProof {
  readonly proof: Groth16Proof;
  readonly executors: ReadonlySet<MsmExecutor>;
  readonly sums: SumsOfB;
}

/**
 * A Groth16 proof for a witness. The sums over A, B1, B2 and C need only the witness and start at once; the sum over H waits for the
 * quotient. If the proof does not hold and the GPU had a part in it, it is computed again on the workers. If that one does not hold either,
 * the witness or the key is wrong: `PROOF_INVALID`. The witness's memory is freed.
 */
export async function prove(
  context: ProofContext,
  key: Groth16Key,
  witness: HostScalars,
  call: ProofCall,
  verify: boolean,
): Promise<MadeProof<Groth16Proof>> {
  const publicSignals = Array.from({ length: key.facts.publicSignals }, (_, i) =>
    String(bytesToBigint(witness.bytes, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
  );
  const holds = (proof: Groth16Proof): Promise<boolean> =>
    call.span('verify', 'wasm', () => key.verify(call, publicSignals, proof));
  const quotients = new Quotients(context, key, witness, call);
  const compute = (trustedOnly: boolean): Promise<ComputedProof> =>
    computeProof(context, key, witness, quotients, call, trustedOnly);
  const failure = ({ sums }: ComputedProof): Promise<PippinError> =>
    blame(pairings(context.pool, key.curve, call.signal), key.curve, key.points, sums);
  let made = await compute(false);
  if (verify && !(await holds(made.proof))) {
    // The GPU, the witness or the key is wrong. A proof that the workers make alone shows whether it is the GPU.
    if (!made.executors.has('webgpu')) throw await failure(made);
    made = await compute(true);
    if (!(await holds(made.proof))) throw await failure(made);
    const reason = 'a proof made with it did not verify, and the same proof made without it does';
    context.distrustGpu(reason);
    call.notice('WEBGPU_DISTRUSTED', `the GPU is used no more: ${reason}`);
  }
  freeMemory(witness.bytes);
  await quotients.free();
  return { proof: made.proof, publicSignals };
}

/** One proof with a new blinding. */
async function computeProof(
  { pool }: ProofContext,
  key: Groth16Key,
  witness: HostScalars,
  quotients: Quotients,
  call: ProofCall,
  trustedOnly: boolean,
): Promise<ComputedProof> {
  const { curve, points, vectors, facts } = key;
  const { signal } = call;
  const blinding = randomBlinding(curve);
  const executors = new Set<MsmExecutor>();
  const combine: Combine = (args) => pool.call(curve, 'combine', args, { signal, urgent: true });
  const meters = Object.fromEntries(
    GROTH16_PARTS.map((part) => [
      part,
      call.meter('msm', (WEIGHT[part] * vectors[part].outline.kept) / facts.domainSize),
    ]),
  ) as Record<Groth16Part, (fraction: number) => void>;
  const sum = async (part: Groth16Part, scalars: ScalarVector): Promise<Uint8Array> => {
    const options = { signal, onProgress: meters[part], observer: call.observer(part), trustedOnly };
    const result = await vectors[part].multiply(scalars, options);
    for (const executor of result.executors) executors.add(executor);
    call.computedBy(part, result.executors);
    meters[part](1);
    return result.point;
  };
  const computeA = async (): Promise<Uint8Array> => {
    const a = await assembleA(combine, points, await sum('A', witness), blinding);
    call.commitment('A', pointToJson(curve, a));
    return a;
  };
  const computeB = async (): Promise<{ b: Uint8Array; B2: Uint8Array }> => {
    const B2 = await sum('B2', witness);
    const b = await assembleB(combine, points, B2, blinding);
    call.commitment('B', g2PointToJson(curve, b));
    return { b, B2 };
  };
  const privateSignals = hostScalars(witness.bytes.subarray((facts.publicSignals + 1) * SCALAR_BYTES));
  // The quotient comes first, because the sum over H waits for it.
  const [H, a, { b, B2 }, B1, C] = await Promise.all([
    quotients.use((scalars) => sum('H', scalars), trustedOnly),
    computeA(),
    computeB(),
    sum('B1', witness),
    sum('C', privateSignals),
  ]);
  const c = await call.span('combine', 'wasm', () => assembleC(combine, points, { B1, C, H }, a, blinding));
  call.commitment('C', pointToJson(curve, c));
  return { proof: proofToJson(curve, a, b, c), executors, sums: { B1, B2 } };
}
