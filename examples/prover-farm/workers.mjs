import { Farm, readCircuits, readKeyPair } from 'pippin-farm';
import { readSettings, required } from './settings.mjs';

/** The workers of this machine. SIGTERM lets them end what they are proving; what waits is for others. */

const { circuits, workers, redis } = await readSettings();
const farm = await Farm.start({
  ...workers,
  connection: redis,
  circuits: await readCircuits(circuits),
  keyPairs: [await readKeyPair(required('WORKER_KEYS'))],
  // One line of JSON for each event. None holds a secret.
  onEvent: (event) => console.log(JSON.stringify({ time: Date.now(), ...event })),
});
// A parent process, if there is one, learns that all of them take jobs.
process.send?.('ready');
await farm.drainOnSignal();
// The channel to the parent would keep this process.
process.disconnect?.();
