import { startEngineHere } from '../../engine/engine-here.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { webSameThreadChannel } from '../../transport/web-same-thread.js';
import { browserEnginePlatform } from './browser-engine.js';

/** The engine of a page, on the page's own thread. */
export function pageEngine(): WorkerChannel {
  return startEngineHere(browserEnginePlatform, webSameThreadChannel);
}
