import type { WasmModuleName } from '../../api.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { hasFusedLanes } from './fused-lanes.js';
import { hasFasterIntegerLanes } from './integer-lanes.js';

/** The module of a curve that is the fastest on this machine. */
export function wasmModuleOf(curve: CurveId): WasmModuleName {
  const { laneModules } = CURVES[curve];
  if (laneModules.includes('fma') && hasFusedLanes()) return `${curve}-fma`;
  return laneModules.includes('simd') && hasFasterIntegerLanes() ? `${curve}-simd` : curve;
}
