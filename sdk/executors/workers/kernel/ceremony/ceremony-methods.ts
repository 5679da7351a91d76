/**
 * What ceremonies compute on points: contributions (`scalePoints`; beside a GPU `pointsToScale`, `splitScalars` and
 * `checkedProducts`), powers of tau (`scaleByPowers`), their preparation for phase 2 by NTTs over points
 * (`pointButterflies`, `writePoints`; beside a GPU `splitPowers`), responses to challenges (`decompressPoints`), and
 * the set-up of keys (`linearCombinations`). One part of the code, which provers do not load.
 */
export { checkedProducts, pointsToScale } from './checked-products.js';
export { decompressPoints } from './compressed-points.js';
export { linearCombinations } from './linear-combinations.js';
export { pointButterflies, writePoints } from './point-butterflies.js';
export { scaleByPowers } from './scale-by-powers.js';
export { scalePoints } from './scale-points.js';
export { splitPowers, splitScalars } from './split-scalars.js';
