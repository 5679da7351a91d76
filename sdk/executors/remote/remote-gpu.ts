import { onAbort, untilAborted } from '../../base/abort.js';
import { asPippinError, PippinError } from '../../base/errors.js';
import { type PlannedBackend, type ResidentBases, wholeRange, withPoints } from '../../bases/backend.js';
import type { BasesOutline } from '../../bases/prepared.js';
import { bytesOfScalars, wipeCopy } from '../../bases/scalar-vector.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { ByteLane, type ByteWindow } from '../../transport/byte-lane.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { Heartbeat } from '../../transport/heartbeat.js';
import { type Remote, remote } from '../../transport/remote.js';
import { GPU_CAPABILITIES } from '../capabilities.js';
import { GroupPlans } from '../gpu/msm/group-plans.js';
import type { DeviceInfo } from '../gpu/runtime/device-info.js';
import type { DeviceHost, HostProgress } from './device-host.js';

/** Memory with which windows are chosen for a GPU of another process, whose own plan follows its limits. */
const PLANNED_BYTES = 2 ** 30;

/**
 * The heartbeat timeout in milliseconds, while an answer is due: the other process says that it lives whenever it is
 * asked.
 */
const PATIENCE_MS = 30_000;

/** The same until its GPU is open. */
const START_MS = 120_000;

/** How another process with a GPU is reached. */
export interface RemoteDevice {
  readonly channel: WorkerChannel;
  /** Memory that both processes see; undefined where there is none. */
  readonly window: (ByteWindow & { close(): void }) | undefined;
}

/** Bases on the GPU of another process. */
interface RemoteBases extends ResidentBases {
  readonly id: number;
  /** The number of points that it holds. */
  readonly held: number;
}

/**
 * A GPU that another process works with (`DeviceHost`). When that process ends or exceeds the heartbeat timeout, or its
 * device is lost, the process is ended and everything rejects with `DEVICE_LOST` from then on.
 */
export class RemoteGpu {
  /** Fulfilled when the GPU is open; rejects with the reason if it cannot be opened. */
  readonly opened: Promise<DeviceInfo>;
  private readonly host: Remote<DeviceHost>;
  private readonly lane: ByteLane;
  /** What rejects the pending calls. */
  private readonly pending = new Set<(error: PippinError) => void>();
  private readonly listeners = new Map<number, (fraction: number) => void>();
  private readonly compiled = new Map<string, { isReady: boolean }>();
  private readonly heartbeat: Heartbeat;
  private loss: PippinError | undefined;
  private isOpen = false;
  private nextNumber = 1;

  constructor(
    readonly name: string,
    private readonly device: RemoteDevice,
    memoryBudget: number | undefined,
  ) {
    const { channel, window } = device;
    this.host = remote<DeviceHost>(channel.endpoint);
    this.lane = new ByteLane(window, (slice) => this.call(() => this.host.slice(slice)));
    this.heartbeat = new Heartbeat({
      patienceMs: PATIENCE_MS,
      startMs: START_MS,
      onSilent: (ms) => {
        const waited = `${Math.round(ms / 1000)} s`;
        this.giveUp(new PippinError('DEVICE_LOST', `expected ${name} to answer, got nothing for ${waited}`));
      },
      ask: () => this.host.isAlive(),
    });
    channel.onFailure((error) => {
      this.giveUp(new PippinError('DEVICE_LOST', `${name} ended: ${error.message}`, { cause: error }));
    });
    channel.onEvent((event) => {
      this.heartbeat.heard();
      const { task, fraction } = event as HostProgress;
      this.listeners.get(task)?.(fraction);
    });
    this.opened = this.call(() => this.host.open(memoryBudget));
    this.opened.then(
      () => {
        this.isOpen = true;
      },
      (error: unknown) => this.giveUp(asPippinError(error)),
    );
  }

  /** Whether it is available: until it is lost. */
  get isAvailable(): boolean {
    return this.loss === undefined;
  }

  /** Whether MSMs over a group begin at once. */
  isReady(curve: CurveId, group: GroupId): boolean {
    return this.isOpen && this.compile(curve, group).isReady;
  }

  /** Uses it no more: pending calls reject, and its process is ended. */
  giveUp(reason: PippinError): void {
    if (this.loss !== undefined) return;
    this.loss = reason;
    this.heartbeat.end();
    for (const reject of this.pending) reject(reason);
    this.device.channel.terminate();
    this.device.window?.close();
  }

  /** MSMs over a group. Multiples are not used. */
  msm(curve: CurveId, group: GroupId): PlannedBackend<RemoteBases> {
    this.compile(curve, group);
    const plans = new GroupPlans({ curve, group, isSoftware: false, maxBufferBytes: PLANNED_BYTES });
    return {
      capabilities: GPU_CAPABILITIES,

      // The other process follows the window that is chosen here, and has no multiples.
      rowPlan: ({ held }, batch, { windowBits, scalarBits, range = { from: 0, to: held } }) => {
        const count = range.to - range.from;
        const outline = { count, pointsPerBuffer: count, multiples: undefined };
        const plan = plans.plan(outline, PLANNED_BYTES, { windowBits, scalarBits, batch });
        return { windowBits: plan.windowBits, windows: plan.windows, rows: plan.rows, isCentred: true };
      },

      load: (bases, range, { signal } = {}) =>
        withPoints(bases.points, async (points) => {
          const { from, to } = wholeRange(bases, range);
          const { curve, group, form, kept } = bases;
          const size = points.length / Math.max(1, kept);
          const count = to - from;
          const outline: BasesOutline = { curve, group, form, count, kept: count, indices: undefined, exceptional: [] };
          const id = this.nextNumber++;
          await untilAborted(this.opened, signal);
          const own = points.subarray(from * size, to * size);
          const release = (): void => void this.host.release(id).catch(() => undefined);
          let loading: Promise<void> | undefined;
          try {
            await this.withBytes(own, signal, (transfer) => {
              loading = this.host.load({ id, outline, transfer });
              return loading;
            });
          } catch (error) {
            // The other process may not have noticed that nobody wants them any more.
            loading?.then(release, () => undefined);
            throw error;
          }
          return { id, held: count, count: bases.count, release };
        }),

      multiplyBatch: async ({ id, held }, scalars, batch, options = {}) => {
        const { signal, onProgress, scalarBits, range = { from: 0, to: held } } = options;
        const { windowBits, chunks, largeBucketFactor, accumulation } = options;
        const tuning = { windowBits, chunks, largeBucketFactor, accumulation };
        if (scalars.kind === 'host') await scalars.available?.(scalars.bytes.length);
        const bytes = bytesOfScalars(scalars);
        const task = this.nextNumber++;
        if (onProgress !== undefined) this.listeners.set(task, onProgress);
        const stopListening = onAbort(signal, () => void this.host.cancel(task).catch(() => undefined));
        try {
          return await this.withBytes(bytes, signal, (transfer) =>
            this.host.multiply({ task, id, transfer, batch, range, scalarBits, tuning }),
          );
        } finally {
          wipeCopy(bytes, scalars);
          stopListening();
          this.listeners.delete(task);
        }
      },
    };
  }

  /** Sends bytes to the other process, and runs a method there that takes them meanwhile. */
  private async withBytes<T>(
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
    use: (transfer: number) => Promise<T>,
  ): Promise<T> {
    const transfer = this.lane.newTransfer();
    const begun = this.call(() => this.host.begin(transfer, bytes.length));
    const used = this.call(() => use(transfer));
    const sent = this.lane.send(transfer, bytes, signal);
    sent.catch(() => void this.host.abandon(transfer).catch(() => undefined));
    const [result] = await untilAborted(Promise.all([used, begun, sent]), signal);
    return result;
  }

  /** The answer to a call, or the reason why there will be none. */
  private call<T>(work: () => Promise<T>): Promise<T> {
    const { loss, pending } = this;
    if (loss !== undefined) return Promise.reject(loss);
    return new Promise<T>((resolve, reject) => {
      pending.add(reject);
      this.heartbeat
        .until(work())
        .then(resolve, (error: unknown) => {
          const known = asPippinError(error);
          if (known.code === 'DEVICE_LOST') this.giveUp(known);
          reject(known);
        })
        .finally(() => pending.delete(reject));
    });
  }

  /** A group's kernels, which are compiled when somebody first asks. */
  private compile(curve: CurveId, group: GroupId): { isReady: boolean } {
    const key = `${curve} ${group}`;
    let compiled = this.compiled.get(key);
    if (compiled === undefined) {
      const state = { isReady: false };
      const settle = (): void => {
        state.isReady = true;
      };
      // A failure shows in the first MSM.
      this.opened.then(() => this.call(() => this.host.compile(curve, group))).then(settle, settle);
      compiled = state;
      this.compiled.set(key, compiled);
    }
    return compiled;
  }

  /** Ends the other process. */
  dispose(): void {
    this.giveUp(new PippinError('DISPOSED', 'the prover was disposed'));
  }
}
