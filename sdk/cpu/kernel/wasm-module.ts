import type { WasmModuleName } from '../../api.js';
import type { CurveId } from '../../curves/index.js';
import { hasFusedLanes } from './fused-lanes.js';
import { hasFasterIntegerLanes } from './integer-lanes.js';

/** The module of a curve that is the fastest on this machine. */
export function wasmModuleOf(curve: CurveId): WasmModuleName {
  if (hasFusedLanes()) return `${curve}-fma`;
  return hasFasterIntegerLanes() ? `${curve}-simd` : curve;
}
