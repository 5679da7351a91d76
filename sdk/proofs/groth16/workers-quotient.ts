import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import type { CurveId } from '../../curves/index.js';
import type { ConstraintMatrix } from '../../executors/workers/pool/constraints.js';
import { WorkersVectors } from '../../executors/workers/pool/workers-vectors.js';
import type { Vector } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import type { ProofCall, ProofContext } from '../proof-system.js';
import { TRANSFORMS } from './parts.js';

/** A key's constraint system on the workers. */
export interface KeyOnWorkers {
  readonly curve: CurveId;
  /** The matrices A and B. */
  readonly matrices: readonly [ConstraintMatrix, ConstraintMatrix];
  readonly vectors: { readonly H: Pick<LoadedBases, 'executor'> };
}

export interface QuotientOptions {
  /** Report the done fraction of each transform. */
  readonly meters: readonly ((fraction: number) => void)[];
  /** Whether signals that are 0 are to take as long as others. */
  readonly constantWork: boolean;
}

/**
 * The values of (A w)(B w) - C w on the odd coset, for the MSM over H. C w is the product (A w)(B w) on the domain
 * itself.
 */
export async function quotientScalars(
  { pool }: Pick<ProofContext, 'pool'>,
  key: KeyOnWorkers,
  call: ProofCall,
  witness: Uint8Array,
  { meters, constantWork }: QuotientOptions,
): Promise<HostScalars> {
  const { curve, matrices } = key;
  const { signal } = call;
  // If the workers compute the MSM over H, it waits for this work, so this must not wait for the other MSMs, which are
  // long. Otherwise the MSM over B2 ends last, and this work runs while workers are idle.
  const letMsmsStart = pool.reserve(key.vectors.H.executor === 'wasm' ? TRANSFORMS : 0);
  const on = new WorkersVectors(pool, curve);
  const scope = new VectorScope();
  const evaluate = async (matrix: ConstraintMatrix): Promise<Vector> =>
    scope.add(on.create(await matrix.evaluate(witness, { signal, constantWork })));
  const toOddCoset = async (values: Vector, i: number): Promise<Vector> => {
    const shifted = await scope.add(on.toOddCoset(values, { signal, onProgress: meters[i], consume: true }));
    meters[i]!(1);
    return shifted;
  };
  try {
    const [a, b] = await call.span('constraints', 'wasm', () =>
      Promise.all([evaluate(matrices[0]), evaluate(matrices[1])]),
    );
    return await call.span('transform', 'wasm', async () => {
      const c = await scope.add(on.multiply(a, b, { signal }));
      const shifting = Promise.all([toOddCoset(a, 0), toOddCoset(b, 1), toOddCoset(c, 2)]);
      letMsmsStart();
      const [shiftedA, shiftedB, shiftedC] = await shifting;
      return on.scalars(await on.multiplySubtract(shiftedA, shiftedB, shiftedC, { signal, consume: true }));
    });
  } finally {
    scope.end();
    letMsmsStart();
  }
}
