import type { AssetUrls } from '../api.js';
import type { ChunkStore } from '../cache/chunk-store.js';
import type { CurveId } from '../curves/index.js';
import type { PippinError } from '../errors.js';
import type { ByteSource } from '../io/byte-source.js';
import type { WorkerChannel } from '../transport/channel.js';

/** What the engine needs of where it runs: a page's worker or a Node worker thread. */
export interface EnginePlatform {
  readonly cacheKind: 'indexeddb' | 'folder';
  /** Threads that the machine reports. */
  readonly threads: number;
  spawnKernel(assets: AssetUrls): WorkerChannel;
  spawnWitness(assets: AssetUrls): WorkerChannel;
  /** The compiled WASM of a curve, from its place beside the package's files. */
  compileWasm(curve: CurveId, assets: AssetUrls): Promise<WebAssembly.Module>;
  /** The WebGPU entry point, or undefined where there is none. */
  gpu(): Promise<GPU | undefined>;
  /** The error to report in place of one that says that there is no adapter, where this platform knows what is missing. */
  explainNoAdapter?(error: unknown): Promise<PippinError | undefined>;
  /** Opens the store of prepared bases; rejects where there is none to be had. */
  openStore(directory: string | undefined): Promise<ChunkStore>;
  /** Opens a file by its path; undefined where paths mean nothing. */
  readonly openFile: ((path: string) => Promise<ByteSource>) | undefined;
}
