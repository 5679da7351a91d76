import { join } from 'node:path';
import { root } from './run.mjs';
import { viteBuild } from './vite-build.mjs';

/** The example page's sources. */
export const exampleFolder = join(root, 'examples', 'groth16-commitment');

/** The example page as built. */
export const exampleDist = join(exampleFolder, 'dist');

/** The curve of its circuit. */
export const exampleCurve = 'bn254';

/**
 * Builds the example page from the built package.
 *
 * @param {...string} more arguments for Vite
 */
export async function buildExample(...more) {
  await viteBuild(exampleFolder, ...more);
}
