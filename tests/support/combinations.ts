import type { WasmModuleName } from '../../sdk/api/index.js';
import { CURVES, type CurveId, type GroupId, hasGpuKernels } from '../../sdk/curves/index.js';
import { EVERY_COMBINATION } from './every-combination.js';
import { ALL_CURVES } from './registry.js';
import { WASM_MODULES } from './wasm.js';

/** What differs above the field. For each of these, one group of one curve is tested in full, the first in every form. */
const SHAPES: readonly ((curve: (typeof ALL_CURVES)[number], group: GroupId) => boolean)[] = [
  ({ edwards, g1 }, group) => group === 'g1' && edwards === undefined && g1.a === 0n,
  ({ edwards, g1 }, group) => group === 'g1' && edwards === undefined && g1.a !== 0n,
  ({ edwards }, group) => group === 'g1' && edwards !== undefined,
  ({ edwards, g2 }, group) => group === 'g2' && g2 !== undefined && edwards === undefined,
  // Its two groups have different forms, and u^2 is not -1.
  ({ edwards, g2 }, group) => group === 'g2' && g2 !== undefined && edwards !== undefined,
  ({ scalarBytes }, group) => group === 'g1' && scalarBytes === 96,
];

const representatives = SHAPES.map((isOfShape) => {
  const groups = ALL_CURVES.flatMap((curve) => (['g1', 'g2'] as const).map((group) => ({ curve, group })));
  const { curve, group } = groups.find(({ curve, group }) => isOfShape(curve, group))!;
  return `${curve.id} ${group}`;
});

/**
 * Whether what lies above the field is tested in full for a group, on the GPU too: the other groups run the same code,
 * and get a few cases.
 */
export function isTestedInFull(curve: CurveId, group: GroupId): boolean {
  return EVERY_COMBINATION || representatives.includes(`${curve} ${group}`);
}

/**
 * Whether what lies above the field is tested in full on the GPU. A software adapter takes minutes to compile the kernels
 * of the longest coordinates: where not every combination is asked for, only their field is tested.
 */
export function isTestedOnGpu(curve: CurveId, group: GroupId): boolean {
  return isTestedInFull(curve, group) && (EVERY_COMBINATION || CURVES[curve].coordinateBytes < 96);
}

/**
 * Whether a test that compiles kernels for itself runs a curve on this backend. A software adapter takes seconds to
 * compile the kernels of a curve: one of each shape is tested on it, and those for which the workers compute with any
 * backend.
 */
export function isTestedOn(backend: 'wasm' | 'webgpu', curve: CurveId): boolean {
  return backend === 'wasm' || !hasGpuKernels(curve) || isTestedOnGpu(curve, 'g1');
}

/**
 * Of groups that differ in nothing that the test looks at, the first one; all of them where every combination is asked
 * for.
 */
export function firstOf<Group>(groups: readonly Group[]): readonly Group[] {
  return EVERY_COMBINATION ? groups : groups.slice(0, 1);
}

/**
 * The points modules by which what lies above the field is tested: the AssemblyScript is the same for all curves and
 * forms, and fields, towers and lanes are tested in all of them. One group is tested in every form, the others in the
 * one that most devices run.
 */
export function formsOf(curve: CurveId, group: GroupId): readonly WasmModuleName[] {
  const isInEachForm = EVERY_COMBINATION || `${curve} ${group}` === representatives[0];
  return WASM_MODULES[curve].filter((name) => isInEachForm || name.endsWith('-fma'));
}

/** The same for what concerns no group alone. */
export function formsOfCurve(curve: CurveId): readonly WasmModuleName[] {
  const groups = CURVES[curve].g2 === undefined ? (['g1'] as const) : (['g1', 'g2'] as const);
  return WASM_MODULES[curve].filter((name) => groups.some((group) => formsOf(curve, group).includes(name)));
}
