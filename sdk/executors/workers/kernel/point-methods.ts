import type { PointsKernel } from './kernel.js';

/** A record, so that the compiler finds a method that is missing here. */
const METHODS: Readonly<Record<keyof PointsKernel, true>> = {
  prepareBases: true,
  reduceWindows: true,
  combine: true,
  finish: true,
  subsetSums: true,
  sumsInSubgroup: true,
  isInSubgroup: true,
  pairingProductIsOne: true,
  batchIsOne: true,
  pairing: true,
  decompress: true,
};

/**
 * The methods of a kernel that need only its points module. The pool opens the other module before it calls any other.
 */
export const POINT_METHODS: ReadonlySet<string> = new Set(Object.keys(METHODS));
