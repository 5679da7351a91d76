import { type Accumulation, createProver, type ProductTimes } from 'pippin-prover';
import { duration } from '../../groth16-commitment/src/format.js';
import { sizeName } from './sizes.js';

/** The kinds, as the page names them. */
export const PRODUCTS: Readonly<Record<Accumulation, string>> = {
  limbs: 'limbs of 13 bits',
  unrolled: 'limbs without loops',
  karatsuba: "limbs by Karatsuba's method",
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
export function productsInWords(times: ProductTimes | undefined): string {
  if (times === undefined) return '';
  const kinds = Object.entries(times.ms) as [Accumulation, number][];
  const each = kinds.sort(([, a], [, b]) => a - b).map(([kind, ms]) => `${PRODUCTS[kind]} ${duration(ms)}`);
  const size = sizeName(Math.log2(times.points));
  return `Field products on the graphics processor, by a sum of ${size} points: ${each.join(', ')}.`;
}
