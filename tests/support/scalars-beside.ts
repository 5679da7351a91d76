import type { WasmModuleName } from '../../sdk/api/index.js';
import type { CurveId } from '../../sdk/curves/index.js';

/** The scalars module of each curve that is taken where a points module is. */
export function scalarsBeside(curve: CurveId, points: WasmModuleName): WasmModuleName {
  return curve === 'bn254' && points.endsWith('-fma') ? 'bn254-scalars-fma' : `${curve}-scalars`;
}
