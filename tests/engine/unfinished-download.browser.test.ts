import { afterEach, expect, it } from 'vitest';
import { indexedDbStore } from '../../sdk/files/cache/indexeddb-store.js';
import { CHUNK_BYTES } from '../../sdk/files/cache/manifest.js';
import { begunBytes } from '../support/begun-bytes.js';
import { PageVisit } from '../support/page-visit.js';

/** As tests/support/failing-downloads.ts serves it. */
const url = new URL('/stalling.zkey', location.href).href;
const store = indexedDbStore();

let page: PageVisit;
afterEach(() => page.end());

async function open(): Promise<void> {
  page = await PageVisit.begin({ backend: 'wasm', threads: 1, cache: true });
}

it('a download goes on at the next visit where the page was closed', async () => {
  for (const name of await store.keys()) await store.delete(name);
  await open();
  void page.prover.groth16.loadKey(url).catch(() => undefined);
  await expect.poll(() => begunBytes(store)).toBe(2 * CHUNK_BYTES);
  page.end();

  await open();
  const dones: number[] = [];
  const key = await page.prover.groth16.loadKey(url, {
    onProgress: (event) => void (event.kind === 'bytes' && dones.push(event.done)),
  });
  expect(dones[0]).toBe(2 * CHUNK_BYTES);
  expect(dones).toEqual([...dones].sort((a, b) => a - b));
  const folder = new URL('/examples/groth16-commitment/key/', location.href);
  const inputs = await (await fetch(new URL('input.json', folder))).json();
  const circuit = new URL('note.wasm', folder).href;
  const { proof, publicSignals } = await page.prover.groth16.fullProve(key, inputs, circuit);
  expect(await page.prover.groth16.verify(key.verificationKey, publicSignals, proof)).toBe(true);
  await expect.poll(() => begunBytes(store)).toBeUndefined();
  expect(page.notices).toEqual([]);
});
