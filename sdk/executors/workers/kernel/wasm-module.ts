import type { WasmModuleName } from '../../../api/index.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import { hasFusedLanes } from './fused-lanes.js';
import { hasFasterIntegerLanes } from './integer-lanes.js';

/** Which of a curve's computations a module has: those of its points, which every prover needs, or those of its scalars. */
export type ModulePart = 'points' | 'scalars';

/** A curve's module for a part that is the fastest on this machine, and the one that runs on every machine. */
export function wasmModulesOf(
  curve: CurveId,
  part: ModulePart,
): { readonly fastest: WasmModuleName; readonly plain: WasmModuleName } {
  return part === 'points'
    ? { fastest: fastestPoints(curve), plain: curve }
    : { fastest: fastestScalars(curve), plain: `${curve}-scalars` };
}

function fastestPoints(curve: CurveId): WasmModuleName {
  if (hasFusedLanes()) return `${curve}-fma`;
  return hasFasterIntegerLanes() ? `${curve}-simd` : curve;
}

function fastestScalars(curve: CurveId): WasmModuleName {
  // Every curve that transforms in lanes has such a module, which its type does not tell.
  const inLanes = `${curve}-scalars-fma` as WasmModuleName;
  return CURVES[curve].transforms?.inLanes && hasFusedLanes() ? inLanes : `${curve}-scalars`;
}
