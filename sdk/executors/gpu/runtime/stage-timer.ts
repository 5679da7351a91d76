import type { GpuDevice } from './device.js';
import { BufferUsage, MapMode } from './flags.js';

/** Milliseconds of GPU time by stage. */
export type StageTimes = Readonly<Record<string, number>>;

/** Bytes of a timestamp. */
const TIMESTAMP_BYTES = 8;

/**
 * Measures stages with timestamp queries: every dispatch becomes a separate compute pass. Needs the feature
 * `timestamp-query`; browsers round the times.
 */
export class StageTimer {
  private readonly times: Record<string, number> = {};
  private readonly queries: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private names: string[] = [];
  private readback: GPUBuffer | undefined;

  /** A timer for submits of up to `passes` compute passes. */
  constructor(
    private readonly gpu: GpuDevice,
    passes: number,
  ) {
    this.queries = gpu.device.createQuerySet({ type: 'timestamp', count: 2 * passes });
    this.resolved = gpu.device.createBuffer({
      label: 'timestamps',
      size: 2 * passes * TIMESTAMP_BYTES,
      usage: BufferUsage.QUERY_RESOLVE | BufferUsage.COPY_SRC,
    });
  }

  get stageTimes(): StageTimes {
    return this.times;
  }

  /** The timestamp writes with which the next compute pass must begin. */
  next(stage: string): GPUComputePassTimestampWrites {
    const query = 2 * this.names.push(stage) - 2;
    return { querySet: this.queries, beginningOfPassWriteIndex: query, endOfPassWriteIndex: query + 1 };
  }

  /** Encodes the readback of a submit's timestamps; called last. */
  resolve(encoder: GPUCommandEncoder): void {
    if (this.names.length === 0) return;
    const count = 2 * this.names.length;
    this.readback = this.gpu.device.createBuffer({
      label: 'timestamps read back',
      size: count * TIMESTAMP_BYTES,
      usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST,
    });
    encoder.resolveQuerySet(this.queries, 0, count, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.readback, 0, this.readback.size);
  }

  /** Reads the times of the last submit. */
  async collect(): Promise<void> {
    const { names, readback } = this;
    this.names = [];
    this.readback = undefined;
    if (readback === undefined) return;
    try {
      await this.gpu.whileAlive(readback.mapAsync(MapMode.READ));
      const stamps = new BigUint64Array(readback.getMappedRange());
      names.forEach((name, i) => {
        const nanoseconds = Number(stamps[2 * i + 1]! - stamps[2 * i]!);
        this.times[name] = (this.times[name] ?? 0) + nanoseconds / 1e6;
      });
    } finally {
      readback.destroy();
    }
  }

  destroy(): void {
    this.queries.destroy();
    this.resolved.destroy();
  }
}
