import type { GroupId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import {
  type ConstraintExports,
  type CoreExports,
  type EndomorphismExports,
  EXPORT_NAMES,
  type GroupExports,
  type PairingExports,
  type TransformExports,
} from './generated/module-exports.js';

export type { ConstraintExports, CoreExports, EndomorphismExports, GroupExports, PairingExports, TransformExports };

/** What a kernel's module exports, by parts; undefined are those that the module does not have. */
export interface ModuleExports {
  readonly core: CoreExports;
  readonly groups: Readonly<Record<GroupId, GroupExports | undefined>>;
  /** That of G1. */
  readonly endomorphism: EndomorphismExports | undefined;
  readonly transforms: TransformExports | undefined;
  readonly constraints: ConstraintExports | undefined;
  readonly pairing: PairingExports | undefined;
}

/** A group, and what its module exports for all. */
export interface PairTreeKernels {
  readonly exports: CoreExports;
  readonly group: GroupExports;
}

/** Reads an instance's exports; `UNSUPPORTED_FORMAT` when they lack the core or have a part that is not whole: another version's module. */
export function readExports(exports: WebAssembly.Exports): ModuleExports {
  const core = partOf<CoreExports>(exports, EXPORT_NAMES.core);
  if (core === undefined) throw unsupported(EXPORT_NAMES.core);
  return {
    core,
    groups: { g1: groupOf(exports, 'g1'), g2: groupOf(exports, 'g2') },
    endomorphism: partOf<EndomorphismExports>(exports, EXPORT_NAMES.endomorphism),
    transforms: partOf<TransformExports>(exports, EXPORT_NAMES.transforms),
    constraints: partOf<ConstraintExports>(exports, EXPORT_NAMES.constraints),
    pairing: partOf<PairingExports>(exports, EXPORT_NAMES.pairing),
  };
}

/** The exports of a group under their own names. */
function groupOf(exports: WebAssembly.Exports, id: GroupId): GroupExports | undefined {
  const found = EXPORT_NAMES.group.flatMap((name) => {
    const value = exports[`${id}_${name}`];
    return value === undefined ? [] : [[name, value] as const];
  });
  return partOf<GroupExports>(Object.fromEntries(found), EXPORT_NAMES.group);
}

/** The exports as those of a part whose names these are; undefined where none of them is there. */
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
