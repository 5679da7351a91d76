import { asPippinError, PippinError } from '../../../base/errors.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../../bases/digits.js';
import { type PointForm, pointForm } from '../../../bases/prepared.js';
import type { CurveId, GroupId } from '../../../curves/index.js';
import {
  type EndomorphismExports,
  type GroupExports,
  type MsmExports,
  type PointsModule,
  readPoints,
  readScalars,
  type ScalarsModule,
} from './exports.js';
import { HEAP_BASE, KernelMemory, SCALARS_BASE } from './memory.js';

/** An instance of a curve's points module, with its own memory; a kernel's methods run on it. */
export interface KernelInstance extends PointsModule {
  readonly curve: CurveId;
  readonly memory: KernelMemory;
}

/** The same with an instance of the curve's scalars module, which has its data in the same memory. */
export interface WholeInstance extends KernelInstance, ScalarsModule {
  readonly core: MsmExports;
  readonly endomorphism: EndomorphismExports | undefined;
}

export async function instantiatePoints(curve: CurveId, module: WebAssembly.Module): Promise<KernelInstance> {
  const exports = readPoints((await instantiate(module, {})).exports);
  const memory = new KernelMemory(exports.core.memory, HEAP_BASE);
  memory.keepData(0, exports.core.heapBase());
  return { curve, ...exports, memory };
}

/** Adds a scalars module to an instance of the same curve. */
export async function instantiateScalars(points: KernelInstance, module: WebAssembly.Module): Promise<WholeInstance> {
  const { core, map, memory } = points;
  const exports = readScalars((await instantiate(module, { env: { memory: core.memory } })).exports);
  const { scalars, halves } = exports;
  memory.keepData(SCALARS_BASE, scalars.heapBase());
  const endomorphism = map === undefined || halves === undefined ? undefined : { ...map, ...halves };
  return { ...points, ...exports, core: { ...scalars, ...core }, endomorphism };
}

/** The exports of a part that not every curve's modules have; `CURVE_MISMATCH` if they are undefined. */
export function expectPart<Exports>(curve: CurveId, part: string, exports: Exports | undefined): Exports {
  if (exports === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with kernels for ${part}, got ${curve}`);
  }
  return exports;
}

/** The exports of a group; `CURVE_MISMATCH` where the curve does not have it. */
export function expectGroup({ curve, groups }: KernelInstance, group: GroupId): GroupExports {
  const found = groups[group];
  if (found === undefined) {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with ${group} kernels, got ${curve}`);
  }
  return found;
}

/** `INVALID_ARGUMENT` unless points of the group are prepared in this form. */
export function expectForm({ curve }: KernelInstance, group: GroupId, form: PointForm): void {
  const expected = pointForm(curve, group);
  if (form !== expected) {
    throw new PippinError('INVALID_ARGUMENT', `expected the ${expected} form for ${curve}, got ${form}`);
  }
}

/** JavaScript engines report by a RangeError that there is no room for another memory. */
export async function instantiate(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module, imports);
  } catch (error) {
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', 'expected room for a WASM memory');
    throw error;
  }
}

/** How many of `each` bytes there are; `INVALID_LENGTH`, naming `what` they are, unless that is a whole number. */
export function countOf(bytes: Uint8Array, each: number, what: string): number {
  if (bytes.length % each !== 0) {
    throw new PippinError('INVALID_LENGTH', `expected ${what} of ${each} bytes each, got ${bytes.length} bytes`);
  }
  return bytes.length / each;
}

/** Canonical scalars of the MSMs of a batch. */
export interface BatchScalars {
  readonly scalars: Uint8Array;
  /**
   * Bytes from an MSM's first scalar to the next MSM's, where other scalars lie between them. By default the next MSM's
   * scalars follow at once.
   */
  readonly stride?: number | undefined;
}

/** How many scalars each of `batch` MSMs has; `INVALID_LENGTH` unless that is a whole number. */
export function countOfBatch({ scalars, stride }: BatchScalars, batch: number, scalarBytes: number): number {
  if (stride === undefined) return countOf(scalars, batch * scalarBytes, 'scalars');
  return countOf(scalars.subarray((batch - 1) * stride), scalarBytes, 'scalars');
}

/** Copies the scalars of `batch` MSMs to memory, MSM after MSM without others between them. */
export function writeBatch(
  memory: KernelMemory,
  at: number,
  { scalars, stride }: BatchScalars,
  batch: number,
  bytesOfMsm: number,
): void {
  for (let m = 0; m < batch; m++) {
    const from = m * (stride ?? bytesOfMsm);
    memory.write(at + m * bytesOfMsm, scalars.subarray(from, from + bytesOfMsm));
  }
}

/** `INVALID_ARGUMENT` unless a window can have this number of bits. */
export function expectWindowBits(bits: number, least = MIN_WINDOW_BITS): void {
  if (Number.isInteger(bits) && bits >= least && bits <= MAX_WINDOW_BITS) return;
  throw new PippinError(
    'INVALID_ARGUMENT',
    `expected windowBits as an integer from ${least} to ${MAX_WINDOW_BITS}, got ${bits}`,
  );
}
