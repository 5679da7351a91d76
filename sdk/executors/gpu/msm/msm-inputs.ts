import { PippinError } from '../../../base/errors.js';
import type { BasesRange, MultiplyOptions } from '../../../bases/backend.js';
import type { MeasuredMsm } from '../../../bases/multiples.js';
import {
  bytesOfScalars,
  type DeviceScalars,
  type ScalarPieces,
  type ScalarVector,
  type SharedSlice,
} from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId } from '../../../curves/index.js';
import { GpuScalars } from '../gpu-scalars.js';
import type { GpuDevice } from '../runtime/device.js';
import { U32_BYTES } from '../runtime/stage.js';
import {
  type CutDigits,
  type DigitInput,
  type DigitSource,
  digitInput,
  gatheredInput,
  gpuScalarInput,
  pieceInput,
  scalarInput,
  sliceInput,
} from './digit-input.js';
import type { GpuBases } from './gpu-bases.js';

/**
 * Scalars shared by several MSMs take at most 1 / SHARE_OF_SCALARS of the memory that the bases leave: the rest is for
 * buffers.
 */
const SHARE_OF_SCALARS = 4;

/** What cuts digits besides the GPU, and when. */
export interface DigitOptions {
  /**
   * The measurements for MSMs of about this many points; undefined if there are none, and plans follow the cost model.
   */
  readonly measuredFor?: ((points: number) => MeasuredMsm | undefined) | undefined;
  /** Cuts the digits of MSMs that are tuned to `digits: 'workers'`. */
  readonly cutDigits?: CutDigits | undefined;
}

/** Brings the scalars of MSMs, or digits cut elsewhere, to the GPU. */
export class MsmInputs {
  /** @param memory the bytes that bases leave for MSMs, and the largest buffer that can be bound as a whole. */
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly memory: { readonly room: number; readonly maxBufferBytes: number },
    private readonly options: DigitOptions,
  ) {}

  /**
   * The input of `batch` MSMs over a range of bases, to be created in their turn. The scalars are on the host or on the
   * device. `copied` are the host bytes that it reads, if any.
   */
  inputOf(
    bases: GpuBases,
    range: BasesRange,
    scalars: ScalarVector,
    batch: number,
    options: MultiplyOptions,
  ): { readonly input: () => Promise<DigitInput>; readonly copied?: Uint8Array } {
    const { digits, signal } = options;
    const count = batch * (range.to - range.from);
    if (digits === 'workers' || (scalars.kind === 'host' && this.cutsOnWorkers(bases, options))) {
      return this.workersInput(scalars, count, signal);
    }
    if (scalars.kind === 'device') {
      const onDevice = this.expectOnDevice(scalars, count);
      return { input: async () => gpuScalarInput(onDevice) };
    }
    if (scalars.kind === 'shared' && scalars.count === count && this.takesCopyOf(scalars, count)) {
      return { input: () => this.sharedInput(bases, range, scalars, signal) };
    }
    if (scalars.kind === 'pieces') return { input: async () => pieceInput(expectPieces(scalars, count)) };
    const { scalarBytes } = this;
    const bytes = bytesOf(scalars, count, scalarBytes);
    const available = scalars.kind === 'host' ? scalars.available : undefined;
    return { input: async () => scalarInput(bytes, scalarBytes, available), copied: bytes };
  }

  /**
   * Whether the workers cut the digits of scalars on the host: as the call says, otherwise whichever was measured to be
   * faster.
   */
  cutsOnWorkers({ count, multiples }: GpuBases, { digits, scalarBits }: MultiplyOptions): boolean {
    const { measuredFor, cutDigits } = this.options;
    if (digits !== undefined) return digits === 'workers';
    // The measurement used full-length scalars, and the workers cut every scalar as full-length.
    if (scalarBits !== undefined && scalarBits < CURVES[this.curve].fr.bits - 2) return false;
    return multiples === undefined && cutDigits !== undefined && measuredFor?.(count)?.digits === 'workers';
  }

  /** The input of digits that the workers cut. */
  private workersInput(
    scalars: ScalarVector,
    count: number,
    signal: AbortSignal | undefined,
  ): { readonly input: () => Promise<DigitInput>; readonly copied: Uint8Array } {
    const { cutDigits } = this.options;
    if (cutDigits === undefined) throw new PippinError('INTERNAL', 'expected workers that cut digits, got none');
    if (scalars.kind === 'device') {
      throw new PippinError('INVALID_ARGUMENT', "expected digits 'gpu' for scalars that lie on the GPU, got 'workers'");
    }
    const { scalarBytes } = this;
    const bytes = bytesOf(scalars, count, scalarBytes);
    const available = scalars.kind === 'host' ? scalars.available : undefined;
    const source: DigitSource = async (windowBits, from, to) => {
      await available?.(to * scalarBytes);
      return cutDigits({ scalars: bytes.subarray(from * scalarBytes, to * scalarBytes), windowBits }, signal);
    };
    return { input: async () => digitInput(source), copied: bytes };
  }

  private get scalarBytes(): number {
    return CURVES[this.curve].scalarBytes;
  }

  /** Whether all shared scalars may be copied to the device: they must leave room for an MSM's buffers. */
  private takesCopyOf({ whole }: SharedSlice, points: number): boolean {
    const most = this.memory.room / SHARE_OF_SCALARS;
    return (
      whole.bytes.length <= Math.min(most, this.memory.maxBufferBytes) &&
      points * U32_BYTES <= this.memory.maxBufferBytes
    );
  }

  private async sharedInput(
    bases: GpuBases,
    range: BasesRange,
    { whole, first, indices }: SharedSlice,
    signal: AbortSignal | undefined,
  ): Promise<DigitInput> {
    const scalars = await whole.on(this.gpu.device, () => GpuScalars.upload(this.gpu, whole.bytes, signal));
    if (indices === undefined) return sliceInput(scalars, first);
    return gatheredInput(scalars, first, bases.indices!, range.from);
  }

  private expectOnDevice(scalars: DeviceScalars, count: number): GpuScalars {
    if (!(scalars instanceof GpuScalars) || !scalars.isOn(this.gpu)) {
      throw new PippinError('INTERNAL', "expected scalars on the multiplication's own device, got others");
    }
    if (scalars.isReleased) throw new PippinError('DISPOSED', 'expected scalars on the device, got released ones');
    if (scalars.count !== count) {
      throw new PippinError('INVALID_LENGTH', `expected ${count} scalars on the device, got ${scalars.count}`);
    }
    return scalars;
  }
}

/** Scalars in pieces; `INVALID_LENGTH` unless they are `count`. */
function expectPieces(scalars: ScalarPieces, count: number): ScalarPieces {
  const bytes = scalars.pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes === count * scalars.scalarBytes) return scalars;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${count * scalars.scalarBytes} bytes in pieces for ${count} scalars, got ${bytes}`,
  );
}

/** The bytes of host scalars; `INVALID_LENGTH` unless they are `count`. */
function bytesOf(scalars: Exclude<ScalarVector, DeviceScalars>, count: number, scalarBytes: number): Uint8Array {
  const bytes = bytesOfScalars(scalars);
  if (bytes.length === count * scalarBytes) return bytes;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${count * scalarBytes} bytes for ${count} scalars, got ${bytes.length}`,
  );
}
