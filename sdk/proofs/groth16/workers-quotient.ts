import { newBytes } from '../../base/bytes.js';
import { wipeAndFree } from '../../base/free-memory.js';
import { SecretBytes } from '../../base/secret-bytes.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { type HostScalars, hostScalars } from '../../bases/scalar-vector.js';
import type { CurveId } from '../../curves/index.js';
import type { ConstraintMatrix } from '../../executors/workers/pool/constraints.js';
import { elementwise } from '../../executors/workers/pool/elementwise.js';
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
 * The values of (A w)(B w) - C w on the coset, for the MSM over H. C w is the product (A w)(B w) on the domain itself.
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
  const letSumsStart = pool.reserve(key.vectors.H.executor === 'wasm' ? TRANSFORMS : 0);
  const secrets = new SecretBytes();
  const evaluate = async (matrix: ConstraintMatrix): Promise<Uint8Array> =>
    secrets.add(await matrix.evaluate(witness, { signal, constantWork }));
  try {
    const [a, b] = await call.span('constraints', 'wasm', () =>
      Promise.all([evaluate(matrices[0]), evaluate(matrices[1])]),
    );
    return await call.span('transform', 'wasm', async () => {
      const product = secrets.add(newBytes(a.length));
      await elementwise(pool, curve, { method: 'multiplyElements', operands: { a, b }, target: product }, signal);
      const shift = async (values: Uint8Array, i: number): Promise<Uint8Array> => {
        const options = { signal, urgent: true, moved: true, onProgress: meters[i] };
        const shifted = secrets.add(await pool.call(curve, 'shiftToCoset', { values }, options));
        meters[i]!(1);
        return shifted;
      };
      const shifting = Promise.all([shift(a, 0), shift(b, 1), shift(product, 2)]);
      letSumsStart();
      const [shiftedA, shiftedB, shiftedProduct] = await shifting;
      const operands = { a: shiftedA, b: shiftedB, c: shiftedProduct };
      await elementwise(pool, curve, { method: 'quotient', operands, target: shiftedA }, signal);
      wipeAndFree(shiftedB, shiftedProduct);
      return hostScalars(shiftedA);
    });
  } catch (error) {
    secrets.wipe();
    throw error;
  } finally {
    letSumsStart();
  }
}
