import { startEngineHere } from '../../engine/engine-here.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { sameThreadChannel } from '../../transport/node-same-thread.js';
import { nodeEnginePlatform } from './node-engine.js';

/** The engine in Node, on the caller's own thread. */
export function engineHere(): WorkerChannel {
  return startEngineHere(nodeEnginePlatform, sameThreadChannel);
}
