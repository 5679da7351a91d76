import type { WorkerScope } from '../transport/channel.js';
import { exposeMethods } from '../transport/remote.js';
import { Engine } from './engine.js';
import type { EnginePlatform } from './platform.js';

/** Puts an engine behind a worker's line. */
export function exposeEngine(platform: EnginePlatform, scope: WorkerScope): void {
  exposeMethods(new Engine(platform, scope.emit), scope.endpoint);
}
