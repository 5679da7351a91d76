import { startEngineHere } from '../../engine/engine-here.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { nodeSameThreadChannel } from '../../transport/node-same-thread.js';
import { nodeEnginePlatform } from './node-engine.js';

/** The engine in Node, on the caller's own thread. */
export function nodeEngine(): WorkerChannel {
  return startEngineHere(nodeEnginePlatform, nodeSameThreadChannel);
}
