import type { BackendChoice } from '../api/index.js';
import type { NoticeCode } from '../api/progress.js';
import type { PippinError } from '../base/errors.js';
import type { CurveId } from '../curves/index.js';
import type { RemoteGpu } from '../executors/remote/remote-gpu.js';
import type { ModulePart } from '../executors/workers/kernel/wasm-module.js';
import type { OpenFile } from '../files/byte-source.js';
import type { ChunkStore } from '../files/cache/chunk-store.js';
import type { MakeSha256 } from '../files/cache/sha256.js';
import type { WorkerChannel } from '../transport/channel.js';
import type { EngineAssets, EngineConfig } from './engine-api.js';

/** Starts the workers of an engine. */
export interface EngineWorkers {
  spawnKernel(assets: EngineAssets): WorkerChannel;
  spawnWitness(assets: EngineAssets): WorkerChannel;
}

/** What the engine needs from the thread that it runs on, in a browser or in Node. */
export interface ThreadPlatform {
  readonly cacheKind: 'indexeddb' | 'folder';
  /** The number of threads that the machine reports. */
  readonly threads: number;
  /** Opens the further GPUs of `devices`, each in a process of its own; undefined on platforms without processes. */
  readonly openRemoteGpus?: (
    config: EngineConfig,
    notice: (code: NoticeCode, message: string) => void,
  ) => Promise<RemoteGpu[]>;
  /** A compiled module of a curve: what the caller gave in `assets`, or the file of the package. */
  compileWasm(curve: CurveId, part: ModulePart, assets: EngineAssets): Promise<WebAssembly.Module>;
  /**
   * The WebGPU entry point, or undefined where there is none. For `auto` it rejects with `WEBGPU_UNAVAILABLE` where the
   * platform knows, without loading anything, that the machine has no GPU.
   */
  gpu(choice: BackendChoice): Promise<GPU | undefined>;
  /** Whether a device of it ends at once when it is destroyed, whatever it is doing. */
  readonly gpuEndsAtOnce: boolean;
  /** Milliseconds after the start before `auto` opens the GPU: 0 unless opening it would hold up the coordinator. */
  readonly gpuDelayMs: number;
  /** A better error for a missing adapter, if this platform knows what is missing. */
  explainNoAdapter?(error: unknown): Promise<PippinError | undefined>;
  /** Opens the store of prepared bases; rejects where there is none. */
  openStore(directory: string | undefined): Promise<ChunkStore>;
  /** A SHA-256 of bytes that come in parts. */
  readonly makeSha256: MakeSha256;
  /** Undefined on platforms without paths. */
  readonly openFile: OpenFile | undefined;
}

/** What the engine needs from its platform. */
export type EnginePlatform = ThreadPlatform & EngineWorkers;

/** The most kernel workers by default. More of them would take memory and hardly make a proof faster. */
const MAX_DEFAULT_THREADS = 16;

/**
 * The number of kernels.
 *
 * @param threads what the caller asks for; with 0 a single kernel computes, on the caller's thread.
 * @param reported the threads that the machine reports.
 */
export function kernelCount(threads: number | undefined, reported = 4): number {
  return Math.max(1, threads ?? Math.min(reported, MAX_DEFAULT_THREADS));
}
