import type { PointsKernel } from './kernel.js';

/** The methods of a kernel that need only its points module. The pool opens the other module before it calls any other. */
export const POINT_METHODS: ReadonlySet<string> = new Set<keyof PointsKernel>([
  'prepareBases',
  'reduceWindows',
  'combine',
  'isOnCurve',
  'subsetSums',
  'sumsInSubgroup',
  'isInSubgroup',
  'pairingProductIsOne',
  'pairing',
]);
