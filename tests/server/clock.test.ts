import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type DevelopmentRedis, startRedis } from '../../sdk/server.js';
import { ScriptedFarm } from '../support/scripted-farm.js';
import { endless } from '../support/scripted-prover.js';

let redis: DevelopmentRedis;
let farm: ScriptedFarm;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  farm = await ScriptedFarm.open(redis.connection);
});
afterEach(async () => {
  await farm.close();
  vi.restoreAllMocks();
});

/** Sets the clock of this process, which is that of the queue and of its workers, but not that of Redis. */
function setClock(aheadMs: number): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
}

it('a worker whose clock is two minutes ahead proves jobs before their deadlines', async () => {
  const deadline = Date.now() + 60_000;
  const ids = await Promise.all(['1', '2', '3'].map((x) => farm.submit(x, { deadline })));
  setClock(120_000);
  await farm.startWorker();
  for (const id of ids) expect((await farm.queue.result(id)).publicSignals).toEqual(['1']);
});

it('a worker whose clock is two minutes behind ends jobs at their deadlines, and counts as one that lives', async () => {
  farm.provers.prove = endless;
  const id = await farm.submit('1', { deadline: Date.now() + 300 });
  setClock(-120_000);
  await farm.startWorker();
  await expect(farm.queue.result(id)).rejects.toMatchObject({ code: 'DEADLINE_PASSED' });
  expect((await farm.queue.farm()).workers).toHaveLength(1);
});

it('deadlines of requests are those of Redis, whatever the clock of who submits', async () => {
  const deadline = Date.now() + 60_000;
  setClock(120_000);
  const id = await farm.submit('1', { deadline });
  expect(await farm.queue.status(id)).toMatchObject({ state: 'waiting', deadline });
  expect((await farm.queue.status(id))!.submitted).toBeLessThan(deadline);
});

it.each([-10, 10])('a worker whose clock is %s minutes off does not start, and says why', async (minutes) => {
  setClock(minutes * 60_000);
  await expect(farm.startWorker()).rejects.toMatchObject({
    code: 'UNSUPPORTED_ENVIRONMENT',
    message: expect.stringContaining(minutes > 0 ? 'ahead' : 'behind'),
    hint: expect.stringContaining('NTP'),
  });
});
