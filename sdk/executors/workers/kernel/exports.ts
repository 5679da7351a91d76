import { PippinError } from '../../../base/errors.js';
import type { GroupId } from '../../../curves/index.js';
import {
  CONSTRAINTS_NAMES,
  CORE_NAMES,
  type ConstraintExports,
  type CoreExports,
  GROUP_NAMES,
  type GroupExports,
  HALVES_NAMES,
  type HalvesExports,
  MAP_NAMES,
  type MapExports,
  PAIRING_NAMES,
  type PairingExports,
  SCALARS_NAMES,
  type ScalarExports,
  TRANSFORMS_NAMES,
  type TransformExports,
} from './generated/module-exports.js';

export type { ConstraintExports, CoreExports, GroupExports, PairingExports, TransformExports };

/** What a points module exports, by parts; a part that the module does not have is undefined. */
export interface PointsModule {
  readonly core: CoreExports;
  readonly groups: Readonly<Record<GroupId, GroupExports | undefined>>;
  readonly map: MapExports | undefined;
  readonly pairing: PairingExports | undefined;
}

/** The same of a scalars module. */
export interface ScalarsModule {
  readonly scalars: ScalarExports;
  readonly halves: HalvesExports | undefined;
  readonly transforms: TransformExports | undefined;
  readonly constraints: ConstraintExports | undefined;
}

/** What MSMs take from both modules, besides the functions of their group. */
export type MsmExports = CoreExports & ScalarExports;

/** The endomorphism of G1: of both modules, too. */
export type EndomorphismExports = MapExports & HalvesExports;

/**
 * Reads the exports of a points module's instance. `UNSUPPORTED_FORMAT` when they lack the core or have an incomplete
 * part: the module is of another version.
 */
export function readPoints(exports: WebAssembly.Exports): PointsModule {
  return {
    core: wholePart<CoreExports>(exports, CORE_NAMES),
    groups: {
      g1: partOf<GroupExports>(ofGroup(exports, 'g1', GROUP_NAMES), GROUP_NAMES),
      g2: partOf<GroupExports>(ofGroup(exports, 'g2', GROUP_NAMES), GROUP_NAMES),
    },
    map: partOf<MapExports>(exports, MAP_NAMES),
    pairing: partOf<PairingExports>(exports, PAIRING_NAMES),
  };
}

/** The same of a scalars module's instance. */
export function readScalars(exports: WebAssembly.Exports): ScalarsModule {
  return {
    scalars: wholePart<ScalarExports>(exports, SCALARS_NAMES),
    halves: partOf<HalvesExports>(exports, HALVES_NAMES),
    transforms: partOf<TransformExports>(exports, TRANSFORMS_NAMES),
    constraints: partOf<ConstraintExports>(exports, CONSTRAINTS_NAMES),
  };
}

/** The exports of a group under their own names. */
export function ofGroup(exports: WebAssembly.Exports, id: GroupId, names: readonly string[]): WebAssembly.Exports {
  const found = names.flatMap((name) => {
    const value = exports[`${id}_${name}`];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The part that every such module has; `UNSUPPORTED_FORMAT` names what of it is missing. */
export function wholePart<Part>(exports: WebAssembly.Exports, names: readonly string[]): Part {
  const part = partOf<Part>(exports, names);
  if (part === undefined) throw unsupported(names);
  return part;
}

/** The exports, typed as the part that has these names; undefined if none of the names is exported. */
function partOf<Part>(exports: WebAssembly.Exports, names: readonly string[]): Part | undefined {
  if (names.every((name) => exports[name] === undefined)) return undefined;
  if (hasAll<Part>(exports, names)) return exports;
  throw unsupported(names.filter((name) => typeof exports[name] !== 'function'));
}

function hasAll<Part>(exports: WebAssembly.Exports, names: readonly string[]): exports is WebAssembly.Exports & Part {
  return names.every((name) => typeof exports[name] === 'function');
}

function unsupported(missing: readonly string[]): PippinError {
  return new PippinError(
    'UNSUPPORTED_FORMAT',
    `expected a module of WASM that exports ${missing.join(', ')}, got one that does not`,
    { hint: 'Take the .wasm files from the same version of the package as its scripts.' },
  );
}
