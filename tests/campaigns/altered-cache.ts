import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackendChoice, Capabilities, Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { MAP_FORMAT } from '../../sdk/engine/tune/performance-map.js';
import { adapterName } from '../../sdk/executors/gpu/runtime/device-info.js';
import type { ChunkStore } from '../../sdk/files/cache/chunk-store.js';
import { folderStore } from '../../sdk/files/cache/folder-store.js';
import { PreparedCache } from '../../sdk/files/cache/prepared-cache.js';
import { manifestName } from '../../sdk/files/cache/record-key.js';
import { createProver } from '../support/prover.js';
import { Random } from '../support/random.js';
import { alteredMap, alterRecord, recordsIn } from './altered-records.js';
import { cachedSubjects, type UseOfCache } from './cached-subjects.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';

/** The multiples of each base where there are some. */
const MULTIPLES = 4;

/** One case of so many has an altered performance map. */
const MAPS_AMONG = 20;

/** Milliseconds in which a record must be right again. */
const MENDED_WITHIN = 20_000;

export const alteredCache: Campaign = {
  about:
    'cached points that were changed, with hashes that fit, give no wrong proof, which is told, and are right again',
  tiers: ['wasm', 'webgpu'],
  // A software GPU compiles the kernels for half a minute before the first case.
  short: { wasm: 8, webgpu: 0 },
  full: 5000,
  // On a software GPU a fresh prover compiles for half a minute, and a case may need two.
  hangsAfterMs: 300_000,
  open,
};

async function open(tier: Tier): Promise<OpenCampaign> {
  const directory = await mkdtemp(join(tmpdir(), 'pippin-altered-'));
  const store = folderStore(directory);
  const subjects = await cachedSubjects(tier);
  const notices: Notice[] = [];
  const codes = (): string[] => notices.map(({ code }) => code);
  const start = (backend: BackendChoice = tier): Promise<Prover> =>
    createProver({ backend, threads: 1, cache: { directory }, onNotice: (notice) => void notices.push(notice) });
  let prover = await start();
  const fresh = async (backend?: BackendChoice): Promise<void> => {
    await prover.dispose();
    prover = await start(backend);
  };
  const useAll = async (precompute: number, random: Random): Promise<UseOfCache[]> => {
    const uses: UseOfCache[] = [];
    for (const { use } of subjects) uses.push(await use(prover, precompute, random));
    return uses;
  };
  await useAll(MULTIPLES, new Random(1));
  // A prover ends when everything has been written.
  await fresh();
  const pristine = await contentsOf(store);
  const records = await recordsIn(store);

  return {
    async run(random) {
      await restore(store, pristine);
      notices.length = 0;
      if (random.integer(MAPS_AMONG) === 0) {
        const map = alteredMap(nameOf(prover.capabilities.webgpu), random);
        await new PreparedCache(store).save(`map/${MAP_FORMAT}`, { facts: map, arrays: {} });
        await fresh(tier === 'wasm' ? 'auto' : tier);
        const uses = await useAll(1, random);
        await fresh();
        if (uses.some(({ isRight }) => !isRight)) throw new Error('expected right sums with any map, got a wrong one');
        return ['a performance map: right all the same'];
      }
      const subject = subjects[random.integer(subjects.length)]!;
      const own = records.filter((key) => key.includes(subject.plan));
      const altered = own[random.integer(own.length)]!;
      const { what, onCurve } = await alterRecord(store, altered, records, random);
      const precompute = altered.includes('/multiples/') ? MULTIPLES : 1;
      const first = await subject.use(prover, precompute, random);
      if (!first.isRight) {
        if (!onCurve) throw new Error(`expected a sum with ${what} to be noticed, got a wrong one`);
        return [`${what}: a wrong sum, which nothing shows`];
      }
      const isTold = codes().includes('CACHE_DAMAGED');
      // A GPU that is distrusted would not be used for the cases to come.
      if (codes().includes('WEBGPU_DISTRUSTED')) await fresh();
      if (!isTold) return [`${what}: right all the same`];
      // Multiples are deleted together with the points that they were made of.
      const points = own.filter((key) => !key.includes('/multiples/'));
      await expectMended(store, pristine, [...points, altered]);
      notices.length = 0;
      const again = await subject.use(prover, precompute, random);
      if (!again.isRight || !again.cached || codes().includes('CACHE_DAMAGED')) {
        throw new Error(`expected a right record after ${what}, got ${JSON.stringify({ again, notices })}`);
      }
      return [`${what}: told and mended`];
    },
    async close() {
      await prover.dispose();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The adapter's name in a performance map. */
function nameOf(webgpu: Capabilities['webgpu']): string {
  return webgpu.available ? adapterName({ ...webgpu, isSoftware: webgpu.software }) : '';
}

type Contents = ReadonlyMap<string, Uint8Array>;

async function contentsOf(store: ChunkStore): Promise<Contents> {
  const contents = new Map<string, Uint8Array>();
  for (const name of await store.keys()) contents.set(name, (await store.get(name))!);
  return contents;
}

async function restore(store: ChunkStore, pristine: Contents): Promise<void> {
  for (const name of await store.keys()) if (!pristine.has(name)) await store.delete(name);
  for (const [name, bytes] of pristine) {
    if (!isEqual(await store.get(name), bytes)) await store.set(name, bytes);
  }
}

/**
 * Waits until records are what they were before. A record's manifest, with the hashes of its chunks, is written last.
 * Multiples for a GPU that is no longer used are not made again.
 */
async function expectMended(store: ChunkStore, pristine: Contents, keys: readonly string[]): Promise<void> {
  const end = performance.now() + MENDED_WITHIN;
  for (const name of keys.map(manifestName)) {
    for (;;) {
      const found = await store.get(name);
      if (isEqual(found, pristine.get(name)!) || (found === undefined && name.includes('/multiples/'))) break;
      if (performance.now() > end) throw new Error(`expected ${name} to be mended, got another`);
      await delay(2);
    }
  }
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}
