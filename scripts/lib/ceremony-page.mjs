import { join } from 'node:path';
import { root } from './run.mjs';
import { viteBuild } from './vite-build.mjs';

/** The sources of the page that contributes to a ceremony. */
export const ceremonyFolder = join(root, 'examples', 'ceremony');

/** The page as built. */
export const ceremonyDist = join(ceremonyFolder, 'dist');

/** Builds the page from the built package. */
export async function buildCeremonyPage() {
  await viteBuild(ceremonyFolder);
}
