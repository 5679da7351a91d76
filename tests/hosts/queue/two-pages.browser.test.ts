import { afterEach, expect, it, vi } from 'vitest';
import type { CircuitInputs, Groth16VerificationKey, ProvingKeyLoadOptions } from '../../../sdk/api/index.js';
import type { ProofQueue, QueueRequest } from '../../../sdk/queue.js';
import { PageVisit } from '../../support/page-visit.js';

/** Pages of one origin with real provers, Web Locks and IndexedDB. */

const key = new URL('/examples/groth16-commitment/key/', location.href);
const json = async (name: string): Promise<unknown> => (await fetch(new URL(name, key))).json();
const name = `test-${Date.now()}`;

const pages: PageVisit[] = [];
afterEach(() => {
  for (const page of pages.splice(0)) page.end();
});

/** A page with its queue, and whether each key that it loaded came from the cache. */
async function open(loads: boolean[] = []): Promise<{ readonly page: PageVisit; readonly queue: ProofQueue }> {
  const page = await PageVisit.begin({ backend: 'wasm', threads: 1, cache: true });
  pages.push(page);
  const load = page.prover.loadKey.bind(page.prover);
  const loadKey = async (zkey: string, options: ProvingKeyLoadOptions) => {
    const loaded = await load(zkey, options);
    loads.push(loaded.report.cached === true);
    return loaded;
  };
  Object.assign(page.prover, { loadKey });
  return { page, queue: await page.queue({ name }) };
}

async function request(id: string): Promise<QueueRequest> {
  const inputs = (await json('input.json')) as CircuitInputs;
  return { id, zkey: new URL('note.zkey', key).href, circuit: new URL('note.wasm', key).href, inputs };
}

it('two pages load a key once, take turns, know of each other and of the results of pages that are gone', async () => {
  const loads: boolean[] = [];
  const [a, b] = [await open(loads), await open(loads)];
  await a.page.prover.clearCache();
  const outcomes = await Promise.all([a.queue.add(await request('a')), b.queue.add(await request('b'))]);
  expect(loads).toEqual([false, true]);
  const verificationKey = (await json('note.vkey.json')) as Groth16VerificationKey;
  for (const { proof, publicSignals } of outcomes) {
    expect(await a.page.prover.groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
  }

  // One page waits for the proof of another, which is closed. The proof must not be made before: it stops on its way.
  const stopped = vi.fn(() => new Promise<never>(() => undefined));
  Object.assign(a.page.prover.groth16, { fullProve: stopped });
  a.queue.add(await request('begun')).catch(() => undefined);
  await vi.waitUntil(() => stopped.mock.calls.length > 0, { timeout: 60_000 });
  const refused = await b.queue.add(await request('begun')).catch(({ code }) => code);
  expect(refused).toBe('INVALID_ARGUMENT');
  const waiting = b.queue.result('begun').catch(({ code }) => code);
  a.page.end();
  expect(await waiting).toBe('INTERRUPTED');

  const c = await open(loads);
  expect((await c.queue.result('a')).proof).toEqual(outcomes[0]!.proof);
  c.queue.forget('a');
  expect((await c.queue.add(await request('begun'))).id).toBe('begun');
  expect(loads).toEqual([false, true, true]);
});
