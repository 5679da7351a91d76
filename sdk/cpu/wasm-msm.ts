import { type CurveId, SCALAR_BYTES } from '../curves/index.js';
import type { MsmBackend, MsmOptions, MsmParts, ResidentBases } from '../msm/backend.js';
import type { PreparedBases } from '../msm/prepared.js';
import type { KernelPool } from './pool.js';

/** A contiguous run of the bases that one worker keeps. */
interface Shard {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
  /** The worker's generation when the shard was loaded. */
  generation: number;
}

export interface WasmBases extends ResidentBases {
  readonly id: string;
  readonly prepared: PreparedBases;
  readonly shards: readonly Shard[];
}

/** Fewest points worth a worker's own bucket pass; smaller sets go to one worker. */
const MIN_SHARD_POINTS = 64;

let nextId = 1;

/** Sums k_i P_i on the kernel workers: each keeps an equal share of the bases and gives back one point. */
export class WasmMsm implements MsmBackend<WasmBases> {
  readonly kind = 'wasm';

  constructor(private readonly pool: KernelPool) {}

  async load(prepared: PreparedBases, options: { signal?: AbortSignal | undefined } = {}): Promise<WasmBases> {
    const id = `bases-${nextId++}`;
    const workers = Math.min(this.pool.size, Math.max(1, Math.ceil(prepared.kept / MIN_SHARD_POINTS)));
    const shards: Shard[] = [];
    for (let i = 0; i < workers; i++) {
      const from = Math.floor((prepared.kept * i) / workers);
      const to = Math.floor((prepared.kept * (i + 1)) / workers);
      // Small sets start at different workers, so that several of them spread over the pool.
      const worker = workers === this.pool.size ? i : (nextId + i) % this.pool.size;
      shards.push({ worker, from, to, generation: -1 });
    }
    const bases: WasmBases = {
      id,
      prepared,
      shards,
      count: prepared.kept,
      release: () => {
        for (const shard of shards) {
          if (shard.generation !== this.pool.generation(shard.worker)) continue;
          shard.generation = -1;
          // The worker may be gone with the pool; then so is the shard.
          this.pool.call(prepared.curve, 'releaseShard', [id], { worker: shard.worker }).catch(() => undefined);
        }
      },
    };
    await Promise.all(shards.map((shard) => this.ensureLoaded(bases, shard, options.signal)));
    return bases;
  }

  async multiply(bases: WasmBases, scalars: Uint8Array, options: MsmOptions = {}): Promise<MsmParts> {
    const { signal, onProgress, windowBits } = options;
    const curve: CurveId = bases.prepared.curve;
    const fractions = bases.shards.map(() => 0);
    const points = await Promise.all(
      bases.shards.map(async (shard, i) => {
        await this.ensureLoaded(bases, shard, signal);
        const part = scalars.slice(shard.from * SCALAR_BYTES, shard.to * SCALAR_BYTES);
        return this.pool.call(curve, 'multiply', [bases.id, part, windowBits], {
          worker: shard.worker,
          signal,
          transfer: [part.buffer],
          onProgress: (fraction) => {
            fractions[i] = fraction;
            onProgress?.(fractions.reduce((sum, f) => sum + f, 0) / fractions.length);
          },
        });
      }),
    );
    return { kind: 'points', points };
  }

  /** Loads a shard into its worker, unless that same worker still has it. */
  private async ensureLoaded(bases: WasmBases, shard: Shard, signal: AbortSignal | undefined): Promise<void> {
    const generation = this.pool.generation(shard.worker);
    if (shard.generation === generation) return;
    const { curve, group, form, points, kept } = bases.prepared;
    const bytes = kept === 0 ? 0 : points.length / kept;
    const part = points.slice(shard.from * bytes, shard.to * bytes);
    shard.generation = generation;
    try {
      await this.pool.call(curve, 'loadShard', [bases.id, group, form, part], {
        worker: shard.worker,
        signal,
        transfer: [part.buffer],
      });
    } catch (error) {
      shard.generation = -1;
      throw error;
    }
  }
}
