import { readFile } from 'node:fs/promises';
import { createFront, ProofQueue, readCircuits } from 'pippin-farm';
import { readSettings, required } from './settings.mjs';

/** The HTTP API. SIGTERM lets requests end. Any number of these may run, since all that they share is in Redis. */

const { circuits, front, redis } = await readSettings();
const { publicKey, apiKeys } = JSON.parse(await readFile(required('FRONT_KEYS'), 'utf8'));
const queue = await ProofQueue.open({
  connection: redis,
  circuits: (await readCircuits(circuits)).map(({ info }) => info),
  publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')),
});
const { host, port, ...options } = front;
const app = await createFront({ queue, apiKeys, redis, ...options });
const url = await app.listen({ host, port });
process.send?.(url);

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    await app.close();
    await queue.close();
    process.disconnect?.();
  });
}
