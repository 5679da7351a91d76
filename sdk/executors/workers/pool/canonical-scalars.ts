import type { CurveId } from '../../../curves/index.js';
import { elementwise } from './elementwise.js';
import type { KernelPool } from './pool.js';

/** Brings scalars below r from Montgomery form with R = 2^(8 scalarBytes) to canonical form, in place and slice by slice on the workers. */
export async function canonicalScalars(
  pool: KernelPool,
  curve: CurveId,
  scalars: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  await elementwise(pool, curve, 'canonicalScalars', { scalars }, scalars, signal);
}
