import { throwIfAborted } from '../../../base/abort.js';
import { BudgetExceeded, type Lease, MemoryBudget } from '../../../base/memory-budget.js';
import type { GuardedDevice } from './guarded-device.js';
import type { SerialQueue } from './in-flight.js';

/**
 * Data that stays on the device between calls: at most half of a limited budget, so that computations have the other
 * half.
 */
const RESIDENT_KINDS = ['bases', 'indices', 'constraints', 'twiddles', 'polynomials'] as const;
const RESIDENT_SHARE = 2;
type ResidentKind = (typeof RESIDENT_KINDS)[number];

/** Bytes of a chunk of staging memory: each costs a submit, some 0.3 ms of the thread on an H200. */
const STAGING_CHUNK_BYTES = 4 * 2 ** 20;
/** The most chunks: enough to fill the next ones while the first are in transit. */
const MAX_STAGING_CHUNKS = 8;
/** Staging memory takes at most 1 / STAGING_SHARE of a limited budget, in at least FEWEST_STAGING_CHUNKS chunks. */
const STAGING_SHARE = 16;
const FEWEST_STAGING_CHUNKS = 4;
const LEAST_STAGING_CHUNK = 8192;

/** Buffers that are kept for the next computation, and can be freed between two computations. */
export interface Reclaimable {
  readonly bytes: number;
  destroy(): void;
}

/** Data on the device with a part that only makes computations faster. */
export interface Shrinkable {
  /** Frees that part, in a turn. */
  shrink(): Promise<void>;
}

/**
 * The buffers of a device. Each holds a lease of the common budget, from before its creation until the device is done
 * with it.
 */
export class GpuMemory {
  readonly budget: MemoryBudget;
  /** The chunks of staging memory: the fastest size, or smaller for a small budget. */
  readonly staging: { readonly chunkBytes: number; readonly chunks: number };
  private readonly leases = new WeakMap<GPUBuffer, Lease>();
  private readonly reclaimable = new Set<Reclaimable>();
  private readonly shrinkable = new Set<Shrinkable>();
  /** Leases of destroyed buffers that the device may still work with. */
  private readonly ending = new Map<Promise<void>, number>();

  constructor(
    private readonly gpu: GuardedDevice,
    /** The turns in which computations prepare their memory. */
    private readonly turns: SerialQueue,
    limit?: number,
  ) {
    this.budget = new MemoryBudget(limit);
    const share = this.budget.limit / STAGING_SHARE;
    const chunkBytes = Math.max(
      LEAST_STAGING_CHUNK,
      Math.min(STAGING_CHUNK_BYTES, 2 ** Math.floor(Math.log2(share / FEWEST_STAGING_CHUNKS))),
    );
    this.staging = { chunkBytes, chunks: Math.max(1, Math.min(MAX_STAGING_CHUNKS, Math.floor(share / chunkBytes))) };
  }

  /** Bytes that a computation's buffers may take in its turn: free memory, and scratch memory that is freed for it. */
  get workRoom(): number {
    const { budget } = this;
    return budget.available - this.reserved + this.sumOfReclaimable + this.sumOfEnding;
  }

  /** Bytes that may be added to what stays on the device. */
  get residentRoom(): number {
    return this.mostResident - this.budget.leasedOf(...RESIDENT_KINDS);
  }

  /** Bytes that computations always have, whatever stays on the device. */
  get leastWorkRoom(): number {
    const { limit, isLimited } = this.budget;
    return isLimited ? limit - this.mostResident - this.stagingBytes : limit;
  }

  /** Creates a buffer; `destroy` frees it. `OUT_OF_MEMORY` when the budget or the device has too little memory. */
  async create(descriptor: GPUBufferDescriptor, from?: Lease): Promise<GPUBuffer> {
    const [buffer] = await this.createAll([descriptor], from);
    return buffer!;
  }

  /**
   * Creates all of these buffers, or none.
   *
   * @param from the lease that their bytes are taken from.
   */
  async createAll(descriptors: readonly GPUBufferDescriptor[], from?: Lease): Promise<GPUBuffer[]> {
    const { gpu } = this;
    const bytes = descriptors.reduce((sum, { size }) => sum + size, 0);
    gpu.throwIfLost();
    from?.reduce(bytes);
    if (descriptors.some(({ label }) => label !== 'staging')) this.expectUnreserved(bytes);
    const leases: Lease[] = [];
    const buffers: GPUBuffer[] = [];
    try {
      for (const { label = 'others', size } of descriptors) leases.push(this.budget.lease(size, kindOf(label)));
      const { done } = gpu.checked(() => {
        for (const [i, descriptor] of descriptors.entries()) {
          const buffer = gpu.device.createBuffer(descriptor);
          this.leases.set(buffer, leases[i]!);
          buffers.push(buffer);
        }
      });
      await done;
      return buffers;
    } catch (error) {
      for (const buffer of buffers) this.destroy(buffer);
      for (const lease of leases.slice(buffers.length)) lease.release();
      throw error;
    }
  }

  /** Destroys a buffer. Its lease ends when the device is done with what was submitted before. */
  destroy(buffer: GPUBuffer): void {
    const lease = this.leases.get(buffer);
    this.leases.delete(buffer);
    buffer.destroy();
    if (lease === undefined) return;
    if (!this.budget.isLimited) {
      lease.release();
      return;
    }
    const { gpu } = this;
    const submitted = gpu.whileAlive(gpu.device.queue.onSubmittedWorkDone());
    const ended = submitted
      .catch(() => undefined)
      .then(() => {
        lease.release();
        this.ending.delete(ended);
      });
    this.ending.set(ended, lease.bytes);
  }

  /**
   * Leases bytes for data that stays on the device; its buffers then take their bytes from the lease. Must not be
   * called in a turn. `OUT_OF_MEMORY` when such data would exceed its share of a limited budget.
   */
  async leaseResident(bytes: number, kind: ResidentKind, signal: AbortSignal | undefined): Promise<Lease> {
    if (!this.budget.isLimited) return this.budget.lease(bytes, kind);
    return this.turns.run(async () => {
      throwIfAborted(signal);
      await this.shrinkOthers(bytes);
      this.expectResident(bytes, kind);
      await this.makeRoom(bytes);
      this.expectUnreserved(bytes);
      return this.budget.lease(bytes, kind);
    });
  }

  /** `OUT_OF_MEMORY` when the data that stays on the device would exceed its share of a limited budget. */
  expectResident(bytes: number, kind: string): void {
    if (bytes <= this.residentRoom) return;
    throw new BudgetExceeded(
      `expected at most ${Math.max(0, this.residentRoom)} bytes of ${kind} to stay on the GPU, where a memoryBudget of ${this.budget.limit} ` +
        `keeps ${this.mostResident} for such data, got ${bytes}`,
    );
  }

  /**
   * In a turn: frees other computations' scratch memory and waits for pending frees, until `bytes` are available if
   * possible.
   *
   * @param inUse the scratch memory being prepared, which is kept.
   */
  async makeRoom(bytes: number, inUse?: Reclaimable): Promise<void> {
    const free = (): number => this.budget.available - this.reserved;
    for (const each of [...this.reclaimable]) {
      if (free() + this.sumOfEnding >= bytes) break;
      if (each !== inUse) each.destroy();
    }
    if (free() < bytes) await Promise.all(this.ending.keys());
  }

  /** Registers scratch memory as room for all computations, until `withdraw` is called. */
  offer(scratch: Reclaimable): void {
    this.reclaimable.add(scratch);
  }

  withdraw(scratch: Reclaimable): void {
    this.reclaimable.delete(scratch);
  }

  /** Allows shrinking the data when other data is to stay on the device, the oldest first; until `unlist` is called. */
  list(data: Shrinkable): void {
    this.shrinkable.add(data);
  }

  unlist(data: Shrinkable): void {
    this.shrinkable.delete(data);
  }

  private async shrinkOthers(bytes: number): Promise<void> {
    for (const data of [...this.shrinkable]) {
      if (bytes <= this.residentRoom) return;
      this.shrinkable.delete(data);
      await data.shrink();
      await Promise.all(this.ending.keys());
    }
  }

  private get mostResident(): number {
    return this.budget.limit / RESIDENT_SHARE;
  }

  private get stagingBytes(): number {
    return this.staging.chunkBytes * this.staging.chunks;
  }

  /** Bytes reserved for staging memory that it has not taken yet. */
  private get reserved(): number {
    return this.stagingBytes - this.budget.leasedOf('staging');
  }

  private get sumOfReclaimable(): number {
    return sumOf([...this.reclaimable].map(({ bytes }) => bytes));
  }

  private get sumOfEnding(): number {
    return sumOf([...this.ending.values()]);
  }

  private expectUnreserved(bytes: number): void {
    const left = this.budget.available - this.reserved;
    if (bytes <= left) return;
    throw new BudgetExceeded(
      `expected at most ${Math.max(0, left)} bytes, which a memoryBudget of ${this.budget.limit} has left on the GPU, got ${bytes}`,
    );
  }
}

/** A buffer's label begins with the name of its kind. */
function kindOf(label: string): string {
  return label.split(' ', 1)[0]!;
}

function sumOf(all: readonly number[]): number {
  return all.reduce((sum, each) => sum + each, 0);
}
