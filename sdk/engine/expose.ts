import type { WorkerScope } from '../transport/channel.js';
import { exposeMethods } from '../transport/remote.js';
import { Engine } from './engine.js';
import type { EnginePlatform } from './platform.js';

/** Starts an engine that the thread which started this worker can call. */
export function exposeEngine(platform: EnginePlatform, scope: WorkerScope): void {
  exposeMethods(new Engine(platform, scope.emit), scope.endpoint);
}
