import { afterEach, expect, it, vi } from 'vitest';
import { useScriptedFarm } from '../support/scripted-farm.js';
import { endless } from '../support/scripted-prover.js';

const used = useScriptedFarm();
afterEach(() => vi.restoreAllMocks());

/** Sets the clock of this process, which is that of the queue and of its workers, but not that of Redis. */
function setClock(aheadMs: number): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
}

it('a worker whose clock is two minutes ahead proves jobs before their deadlines', async () => {
  const deadline = Date.now() + 60_000;
  const ids = await Promise.all(['1', '2', '3'].map((x) => used.farm.submit(x, { deadline })));
  setClock(120_000);
  await used.farm.startWorker();
  for (const id of ids) expect((await used.farm.queue.result(id)).publicSignals).toEqual(['1']);
});

it('a worker whose clock is two minutes behind ends jobs at their deadlines, and counts as one that lives', async () => {
  used.farm.provers.prove = endless;
  const id = await used.farm.submit('1', { deadline: Date.now() + 300 });
  setClock(-120_000);
  await used.farm.startWorker();
  await expect(used.farm.queue.result(id)).rejects.toMatchObject({ code: 'DEADLINE_PASSED' });
  expect((await used.farm.queue.farm()).workers).toHaveLength(1);
});

it('a proof by a worker whose clock is two minutes behind was not started before it was submitted', async () => {
  const id = await used.farm.submit('1');
  setClock(-120_000);
  await used.farm.startWorker();
  await used.farm.queue.result(id);
  const { submitted, started, finished } = (await used.farm.queue.status(id))!;
  expect([started, finished]).toEqual([submitted, submitted]);
});

it('deadlines of requests are those of Redis, whatever the clock of who submits', async () => {
  const deadline = Date.now() + 60_000;
  setClock(120_000);
  const id = await used.farm.submit('1', { deadline });
  expect(await used.farm.queue.status(id)).toMatchObject({ state: 'waiting', deadline });
  expect((await used.farm.queue.status(id))!.submitted).toBeLessThan(deadline);
});

it.each([-10, 10])('a worker whose clock is %s minutes off does not start, and says why', async (minutes) => {
  setClock(minutes * 60_000);
  await expect(used.farm.startWorker()).rejects.toMatchObject({
    code: 'UNSUPPORTED_ENVIRONMENT',
    message: expect.stringContaining(minutes > 0 ? 'ahead' : 'behind'),
    hint: expect.stringContaining('NTP'),
  });
});
