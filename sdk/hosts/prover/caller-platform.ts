import type { ProverOptions } from '../../api/index.js';
import type { EngineConfig } from '../../engine/engine-api.js';
import type { WorkerChannel } from '../../transport/channel.js';
import type { Locate, WorkerScripts } from './asset-places.js';
import type { DescribeLocation } from './caller-source.js';

/** What the caller's thread needs from its platform, a browser or Node. */
export interface CallerPlatform {
  /** @param scripts the workers' scripts that the caller named, if any. */
  spawnCoordinator(scripts: WorkerScripts, config: EngineConfig): WorkerChannel;
  /** The engine on the caller's own thread. What does it is loaded when it is first wanted. */
  startEngineHere(): Promise<WorkerChannel>;
  /** Where the files lie if the caller does not say; left out where they lie beside the scripts. */
  readonly assets?: ProverOptions['assets'];
  readonly locate: Locate;
  readonly describeLocation: DescribeLocation;
  /** Milliseconds that `dispose` waits for the engine to end by itself before it ends its worker. */
  readonly disposeTimeoutMs: number;
  /**
   * Only in Node: has `end` called when the process has nothing else to do. The function that is returned takes this
   * back.
   */
  readonly beforeExit?: (end: () => void) => () => void;
}
