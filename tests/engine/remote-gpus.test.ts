import { expect, it } from 'vitest';
import type { EngineConfig } from '../../sdk/engine/engine-api.js';
import { openRemoteGpus } from '../../sdk/hosts/node/node-engine.js';
import { FakeWorker } from '../support/fake-worker.js';

it('ends the processes that were started when a later one cannot be', async () => {
  const started: FakeWorker[] = [];
  const spawnDevice = () => {
    if (started.length === 2) throw new Error('no process');
    const channel = new FakeWorker(() => ({ open: () => new Promise(() => undefined), isAlive: () => undefined }));
    started.push(channel);
    return { channel, window: undefined };
  };
  const config = { backend: 'auto', devices: [{}, {}, {}], assets: {} } as unknown as EngineConfig;
  const opening = openRemoteGpus(spawnDevice, config, () => undefined);
  await expect(opening).rejects.toThrow('no process');
  expect(started.map(({ terminated }) => terminated)).toEqual([true, true]);
});
