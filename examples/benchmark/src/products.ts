import { type Accumulation, createProver } from 'pippin-prover';
import { duration } from '../../groth16-commitment/src/format.js';

/** Milliseconds of an MSM over 2^14 points by each kind of field product that the graphics processor computes right. */
export type ProductTimes = Readonly<Partial<Record<Accumulation, number>>>;

/** The kinds, as the page names them. */
export const PRODUCTS: Readonly<Record<Accumulation, string>> = {
  limbs: 'limbs of 13 bits',
  unrolled: 'limbs without loops',
  words: 'words of 32 bits',
  bytes: 'bytes',
};

/** How long the prover measures, without the time to compile kernels. */
const MEASURE_MS = 2000;

/** Compares field products on the graphics processor; undefined where there is none but in software, or it fails. */
export async function measureProducts(signal: AbortSignal): Promise<ProductTimes | undefined> {
  const prover = await createProver({ backend: 'webgpu', cache: false });
  try {
    const { webgpu } = prover.capabilities;
    if (!webgpu.available || webgpu.software) return undefined;
    const { gpu } = await prover.tune({ maxMs: MEASURE_MS, signal });
    return gpu?.productTimes;
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    await prover.dispose();
  }
}

/** The times in a sentence, the fastest kind first; empty where there are none. */
export function productsInWords(times: ProductTimes): string {
  const kinds = Object.entries(times) as [Accumulation, number][];
  if (kinds.length === 0) return '';
  const each = kinds.sort(([, a], [, b]) => a - b).map(([kind, ms]) => `${PRODUCTS[kind]} ${duration(ms)}`);
  return `Field products on the graphics processor, by a sum of 2¹⁴ points: ${each.join(', ')}.`;
}
