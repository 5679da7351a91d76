import type { Groth16Proof } from '../../api.js';
import { elementwise } from '../../cpu/pool/elementwise.js';
import { retryOnDeadWorker } from '../../cpu/pool/retry-on-dead-worker.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import type { Call } from '../../engine/call.js';
import type { EngineContext } from '../../engine/context.js';
import { PippinError } from '../../errors.js';
import { bytesToBigint } from '../../field/bytes.js';
import type { ProofPart } from '../../progress.js';
import { g2PointToJson, pointToJson, proofToJson } from '../../snarkjs/proof-json.js';
import { freeMemory } from '../../transport/free-memory.js';
import { assembleA, assembleB, assembleC, type Combine } from './assemble.js';
import { randomScalar } from './blinding.js';
import { type LoadedKey, TRANSFORMS } from './key.js';

/** What a part's multiplication weighs in a proof's progress, a G1 point of a full scalar being 1. */
const WEIGHT: Readonly<Record<ProofPart, number>> = { A: 1, B1: 1, B2: 3, C: 1, H: 2 };
const TRANSFORM_WEIGHT = 1;

/**
 * A Groth16 proof for a witness (32 canonical bytes a value). The sums over A, B1, B2 and C need the witness alone and start at
 * once; the one over H waits for the quotient. A proof that does not verify is computed again on the workers when the GPU had
 * a part in it; when that does not verify either, it is the witness: `PROOF_INVALID`. The witness is used up.
 */
export async function prove(
  context: EngineContext,
  key: LoadedKey,
  witness: Uint8Array,
  call: Call,
  verify: boolean,
): Promise<{ proof: Groth16Proof; publicSignals: string[] }> {
  const publicSignals = Array.from({ length: key.facts.publicSignals }, (_, i) =>
    String(bytesToBigint(witness, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
  );
  const holds = (proof: Groth16Proof): Promise<boolean> =>
    call.span('verify', 'wasm', async () => {
      const verifier = await key.verifier(context.backends);
      return verifier.verify(context.backends.pairings(key.curve, call.signal), publicSignals, proof);
    });
  const meters = Array.from({ length: TRANSFORMS }, () => call.meter('transform', TRANSFORM_WEIGHT));
  const quotient = retryOnDeadWorker(() => quotientScalars(context, key, witness, call, meters));
  // Awaited by the sum over H; a failure must not count as unhandled when another part fails before.
  quotient.catch(() => undefined);
  const compute = (onWorkers: boolean): Promise<Groth16Proof> =>
    computeProof(context, key, witness, quotient, call, onWorkers);
  let proof = await compute(false);
  if (verify && !(await holds(proof))) proof = await proveWithoutGpu(context, call, () => compute(true), holds);
  freeMemory(witness, await quotient);
  return { proof, publicSignals };
}

/** After a proof that does not hold: whether one made by the workers alone does tells which of GPU and witness was wrong. */
async function proveWithoutGpu(
  { backends }: EngineContext,
  call: Call,
  compute: () => Promise<Groth16Proof>,
  holds: (proof: Groth16Proof) => Promise<boolean>,
): Promise<Groth16Proof> {
  if (backends.describe().backend === 'webgpu') {
    const proof = await compute();
    if (await holds(proof)) {
      const reason = 'a proof made with it did not verify, and the same proof made without it does';
      backends.distrustGpu(reason);
      call.notice('WEBGPU_DISTRUSTED', `the GPU is used no more: ${reason}`);
      return proof;
    }
  }
  throw new PippinError(
    'PROOF_INVALID',
    'expected a witness that satisfies the circuit of this key, got one whose proof does not verify',
  );
}

/** The values of (A w)(B w) - C w over the coset, for the sum over H; C w is the product on the domain itself. */
async function quotientScalars(
  { backends }: EngineContext,
  key: LoadedKey,
  witness: Uint8Array,
  call: Call,
  meters: readonly ((fraction: number) => void)[],
): Promise<Uint8Array> {
  const { pool } = backends;
  const { signal } = call;
  // Sums are long, and the one over H waits for this. With a GPU that does it the one over B2 ends last, and this fills the gaps.
  const hasGpu = backends.gpuMsm(key.curve, 'g1') !== undefined;
  const letSumsStart = pool.reserve(hasGpu ? 0 : TRANSFORMS);
  try {
    const [a, b] = await call.span('constraints', 'wasm', () =>
      Promise.all([key.matrices[0].evaluate(witness, { signal }), key.matrices[1].evaluate(witness, { signal })]),
    );
    return await call.span('transform', 'wasm', async () => {
      const product = new Uint8Array(a.length);
      await elementwise(pool, key.curve, 'multiplyElements', { a, b }, product, signal);
      const shift = async (values: Uint8Array, i: number): Promise<Uint8Array> => {
        const options = { signal, urgent: true, moved: true, onProgress: meters[i] };
        const shifted = await pool.call(key.curve, 'shiftToCoset', { values }, options);
        meters[i]!(1);
        return shifted;
      };
      const shifting = Promise.all([shift(a, 0), shift(b, 1), shift(product, 2)]);
      letSumsStart();
      const [shiftedA, shiftedB, shiftedProduct] = await shifting;
      const operands = { a: shiftedA, b: shiftedB, c: shiftedProduct };
      await elementwise(pool, key.curve, 'quotient', operands, shiftedA, signal);
      freeMemory(shiftedB, shiftedProduct);
      return shiftedA;
    });
  } finally {
    letSumsStart();
  }
}

/** One proof with fresh blinding. */
async function computeProof(
  { backends, config }: EngineContext,
  key: LoadedKey,
  witness: Uint8Array,
  quotient: Promise<Uint8Array>,
  call: Call,
  onWorkers: boolean,
): Promise<Groth16Proof> {
  const { curve, points, vectors, facts } = key;
  const { signal } = call;
  const blinding = { r: randomScalar(), s: randomScalar() };
  const combine: Combine = (args) => backends.pool.call(curve, 'combine', args, { signal, urgent: true });
  const meters = Object.fromEntries(
    (Object.keys(WEIGHT) as ProofPart[]).map((part) => [
      part,
      call.meter('msm', (WEIGHT[part] * vectors[part].outline.kept) / facts.domainSize),
    ]),
  ) as Record<ProofPart, (fraction: number) => void>;
  const sum = async (part: ProofPart, scalars: Uint8Array): Promise<Uint8Array> => {
    const options = { part, onProgress: meters[part], gpuOnly: config.backend === 'webgpu' };
    const result = onWorkers
      ? await vectors[part].multiplyOnWorkers(scalars, call, options)
      : await vectors[part].multiply(scalars, call, options);
    meters[part](1);
    return result;
  };
  const computeA = async (): Promise<Uint8Array> => {
    const a = await assembleA(combine, points, await sum('A', witness), blinding);
    call.commitment('A', pointToJson(curve, a));
    return a;
  };
  const computeB = async (): Promise<Uint8Array> => {
    const b = await assembleB(combine, points, await sum('B2', witness), blinding);
    call.commitment('B', g2PointToJson(curve, b));
    return b;
  };
  const privateSignals = witness.subarray((facts.publicSignals + 1) * SCALAR_BYTES);
  const [a, b, B1, C, H] = await Promise.all([
    computeA(),
    computeB(),
    sum('B1', witness),
    sum('C', privateSignals),
    quotient.then((scalars) => sum('H', scalars)),
  ]);
  const c = await call.span('combine', 'wasm', () => assembleC(combine, points, { B1, C, H }, a, blinding));
  call.commitment('C', pointToJson(curve, c));
  return proofToJson(curve, a, b, c);
}
