import type { CurveId, GroupId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import type { PointForm } from '../../msm/prepared.js';
import { ConstraintKernel } from './constraint-kernel.js';
import { readExports } from './exports.js';
import { FieldKernel } from './field-kernel.js';
import type { KernelApi, KernelTask, PointEncoding, PreparedPart } from './kernel-api.js';
import { KernelMemory } from './memory.js';
import { PairingKernel } from './pairing-kernel.js';
import { PointKernel } from './point-kernel.js';

/** One WASM instance of one curve, with a memory of its own. */
export class Kernel implements KernelApi {
  private constructor(
    private readonly curve: CurveId,
    private readonly points: PointKernel,
    private readonly transforms: FieldKernel | undefined,
    private readonly matrices: ConstraintKernel | undefined,
    private readonly pairings: PairingKernel,
  ) {}

  static async create(curve: CurveId, module: WebAssembly.Module): Promise<Kernel> {
    const instance = await WebAssembly.instantiate(module, {});
    const exports = readExports(instance.exports);
    const { core, transforms, constraints } = exports;
    const memory = new KernelMemory(core.memory, core.heapBase());
    return new Kernel(
      curve,
      new PointKernel(curve, exports, memory),
      transforms && new FieldKernel(curve, transforms, memory),
      constraints && new ConstraintKernel(constraints, memory),
      new PairingKernel(curve, exports.pairing, memory),
    );
  }

  prepareBases(
    group: GroupId,
    form: PointForm,
    encoding: PointEncoding,
    points: Uint8Array,
    firstIndex: number,
    task?: KernelTask,
  ): Promise<PreparedPart> {
    return this.points.prepareBases(group, form, encoding, points, firstIndex, task);
  }

  loadShard(id: string, group: GroupId, form: PointForm, points: Uint8Array): void {
    this.points.loadShard(id, group, form, points);
  }

  releaseShard(id: string): void {
    this.points.releaseShard(id);
  }

  multiply(id: string, scalars: Uint8Array, windowBits: number | undefined, task?: KernelTask): Promise<Uint8Array> {
    return this.points.multiply(id, scalars, windowBits, task);
  }

  cutDigits(scalars: Uint8Array, windowBits: number): Promise<Uint32Array> {
    return this.points.cutDigits(scalars, windowBits);
  }

  reduceWindows(group: GroupId, form: PointForm, sums: Uint8Array, windowBits: number): Promise<Uint8Array> {
    return this.points.reduceWindows(group, form, sums, windowBits);
  }

  combine(group: GroupId, points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array> {
    return this.points.combine(group, points, scalars);
  }

  isOnCurve(group: GroupId, point: Uint8Array): Promise<boolean> {
    return this.points.isOnCurve(group, point);
  }

  isInSubgroup(group: GroupId, points: Uint8Array): Promise<boolean> {
    return this.pairings.isInSubgroup(group, points);
  }

  pairingProductIsOne(g1: Uint8Array, g2: Uint8Array): Promise<boolean> {
    return this.pairings.pairingProductIsOne(g1, g2);
  }

  pairing(g1: Uint8Array, g2: Uint8Array): Promise<Uint8Array> {
    return this.pairings.pairing(g1, g2);
  }

  transform(values: Uint8Array, direction: 'forward' | 'inverse', task?: KernelTask): Promise<Uint8Array> {
    return this.fields.transform(values, direction, task);
  }

  shiftToCoset(values: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    return this.fields.shiftToCoset(values, task);
  }

  multiplyElements(a: Uint8Array, b: Uint8Array): Promise<Uint8Array> {
    return this.fields.multiplyElements(a, b);
  }

  quotient(a: Uint8Array, b: Uint8Array, c: Uint8Array): Promise<Uint8Array> {
    return this.fields.quotient(a, b, c);
  }

  loadConstraints(id: string, matrix: 0 | 1, entries: Uint8Array, domainSize: number): void {
    this.constraints.loadConstraints(id, matrix, entries, domainSize);
  }

  releaseConstraints(id: string): void {
    this.constraints.releaseConstraints(id);
  }

  evaluateConstraints(id: string, witness: Uint8Array, task?: KernelTask): Promise<Uint8Array> {
    return this.constraints.evaluateConstraints(id, witness, task);
  }

  private get fields(): FieldKernel {
    return this.transforms ?? this.refuse('transforms');
  }

  private get constraints(): ConstraintKernel {
    return this.matrices ?? this.refuse('constraints');
  }

  private refuse(what: string): never {
    throw new PippinError('CURVE_MISMATCH', `expected a curve with kernels for ${what}, got ${this.curve}`);
  }
}
