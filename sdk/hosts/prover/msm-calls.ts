import * as Comlink from 'comlink';
import type {
  Bases,
  MsmBatchOptions,
  MsmBatchResult,
  MsmCheck,
  MsmOptions,
  MsmPoint,
  MsmResult,
} from '../../api/index.js';
import { copyBytes } from '../../base/bytes.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { decodePoint } from '../../curves/point-bytes.js';
import type { MsmReply, MsmRequest } from '../../engine/engine-api.js';
import { canShareMemory } from '../../transport/shared-bytes.js';
import { NUMBER_FORMS } from './bases.js';
import { isBytes, takenBytes } from './caller-source.js';
import type { EngineCalls, NumberedCall, Work } from './engine-calls.js';
import { loadedOf } from './loaded-things.js';
import { callTuning } from './tuning-options.js';

/** What `check` of `msm` may be. */
export const CHECKS: readonly MsmCheck[] = ['curve', 'random', 'recompute'];

/** The most MSMs in one call. Without it a batch over no points at all, which needs no scalars, could have any size. */
const MAX_BATCH_SIZE = 65_536;

/** The MSMs of a prover. */
export class MsmCalls {
  /**
   * The memory of the last call's scalars, which came back overwritten. In memory from the system a copy takes several
   * times as long.
   */
  private spare: WeakRef<ArrayBuffer> | undefined;

  /** @param constantWork what calls do that do not say it. */
  constructor(
    private readonly calls: EngineCalls,
    private readonly constantWork: boolean,
  ) {}

  /** See `Prover.msm`. */
  async one(bases: Bases, scalars: Uint8Array, options: MsmOptions | undefined): Promise<MsmResult> {
    const reader = new OptionReader(options, 'the options of msm');
    const { points, report } = await this.multiply('msm', bases, scalars, { batchSize: 1, sharedBases: true }, reader);
    return { ...points[0]!, report };
  }

  /** See `Prover.msmBatch`. */
  async batch(bases: Bases, scalars: Uint8Array, options: MsmBatchOptions): Promise<MsmBatchResult> {
    const reader = new OptionReader(options, 'the options of msmBatch');
    const batchSize = reader.integer('batchSize', 1, MAX_BATCH_SIZE);
    if (batchSize === undefined) throw reader.wrong('batchSize', `an integer from 1 to ${MAX_BATCH_SIZE}`, undefined);
    return this.multiply(
      'msmBatch',
      bases,
      scalars,
      { batchSize, sharedBases: reader.flag('sharedBases', true) },
      reader,
    );
  }

  private async multiply(
    name: 'msm' | 'msmBatch',
    bases: Bases,
    scalars: Uint8Array,
    batch: Pick<MsmRequest, 'batchSize' | 'sharedBases'>,
    options: OptionReader,
  ): Promise<MsmBatchResult> {
    const { handle, sums } = loadedOf(this.calls, bases, 'bases');
    const { curve, group, count } = sums!;
    const bitSize = options.integer('bitSize', 1, CURVES[curve].fr.bits);
    const tuning = callTuning(options);
    const scalarsForm = options.word('scalarsForm', NUMBER_FORMS) ?? 'canonical';
    const check = options.word('check', CHECKS);
    const constantWork = options.flag('constantWork', this.constantWork);
    const transfer = options.flag('transfer', false);
    const call = this.calls.begin(name, options);
    const given = expectScalars(scalars, curve, count, batch);
    const request = { ...batch, bitSize, tuning, scalarsForm, check, constantWork };
    const multiply =
      (sent: Uint8Array): Work<MsmReply> =>
      (engine, number) =>
        engine.msm(number, handle, sent, request);
    const { points, report } = await (!transfer && canShareMemory
      ? this.calls.runShared(call, given, multiply)
      : this.runMoved(call, transfer ? takenBytes(given, true) : this.copy(given), multiply));
    const decode = (bytes: Uint8Array): MsmPoint => ({ ...decodePoint(curve, group, bytes), bytes });
    return { points: points.map(decode), report };
  }

  private async runMoved(
    call: NumberedCall,
    moved: Uint8Array<ArrayBuffer>,
    multiply: (moved: Uint8Array) => Work<MsmReply>,
  ): Promise<MsmReply> {
    const reply = await this.calls.run(call, multiply(Comlink.transfer(moved, [moved.buffer])));
    this.spare = new WeakRef(reply.scalars.buffer as ArrayBuffer);
    return reply;
  }

  /** A copy of scalars in memory that can be moved. */
  private copy(scalars: Uint8Array): Uint8Array<ArrayBuffer> {
    const spare = this.spare?.deref();
    this.spare = undefined;
    if (spare === undefined || spare.byteLength < scalars.length) return copyBytes(scalars);
    const copy = new Uint8Array(spare, 0, scalars.length);
    copy.set(scalars);
    return copy;
  }
}

/** Scalars of the right number of bytes. */
function expectScalars(
  scalars: unknown,
  curve: CurveId,
  count: number,
  { batchSize, sharedBases }: Pick<MsmRequest, 'batchSize' | 'sharedBases'>,
): Uint8Array {
  if (!sharedBases && count % batchSize !== 0) {
    throw new PippinError('INVALID_LENGTH', `expected a number of bases that ${batchSize} divides, got ${count}`);
  }
  if (!isBytes(scalars)) {
    throw new PippinError('INVALID_ARGUMENT', `expected scalars as a Uint8Array, got ${describeType(scalars)}`);
  }
  const { scalarBytes } = CURVES[curve];
  const bytes = (sharedBases ? batchSize : 1) * count * scalarBytes;
  if (scalars.length === bytes) return scalars;
  const times = batchSize === 1 || !sharedBases ? '' : `${batchSize} times `;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected ${times}${count} scalars of ${scalarBytes} bytes (${bytes}), got ${scalars.length} bytes`,
  );
}
