import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { type CircuitName, testCircuit } from '../support/circuits.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { Random } from '../support/random.js';
import { type CacheAnswer, type CacheOperation, type CachePlaces, CacheProcess } from './cache-process.js';
import type { Campaign, OpenCampaign } from './campaign.js';

/** Rounds of a case. In each of them both processes do something at the same time. */
const ROUNDS = 10;

const CIRCUITS: readonly CircuitName[] = ['smallest', 'chain'];

/** Milliseconds within which most operations are at some point of their way. */
const MEANWHILE = 150;

/** Two hours: a temporary file that old belongs to no process that still writes. */
const LONG_AGO = 2 * 60 * 60_000;

export const sharedCache: Campaign = {
  about: 'two processes on one cache, killed, aborted and out of disk, with entries that vanish, give right results',
  tiers: ['wasm'],
  short: 1,
  full: 500,
  hangsAfterMs: 300_000,
  open,
};

async function open(): Promise<OpenCampaign> {
  const parent = await mkdtemp(join(tmpdir(), 'pippin-shared-'));
  const places = { files: join(parent, 'files'), directory: join(parent, 'cache'), fullDisk: join(parent, 'full') };
  await mkdir(places.files);
  await writeFiles(places.files);
  const processes: CacheProcess[] = [];
  const startAt = async (i: number): Promise<void> => {
    processes[i] = await CacheProcess.start(places);
    expectFine(await processes[i].do({ operation: 'open' }));
  };
  await Promise.all([startAt(0), startAt(1)]);
  let most = 0;

  return {
    async run(random) {
      await expectCleared(processes, places);
      const kinds: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const operations = [drawn(random), drawn(random)];
        const killed = random.integer(10) === 0 ? random.integer(2) : undefined;
        const disturb = drawnDisturbance(random);
        const after = random.integer(MEANWHILE);
        const answers = processes.map((each, i) => each.do(operations[i]!));
        const disturbing = delay(after).then(() => disturb(places));
        if (killed !== undefined) {
          await delay(random.integer(MEANWHILE));
          await processes[killed]!.kill();
        }
        for (const [i, answer] of (await Promise.all(answers)).entries()) {
          kinds.push(kindOf(operations[i]!, answer));
          // It has given up a cache that failed.
          const gaveUp = answer?.notices.some((notice) => notice.startsWith('CACHE_UNAVAILABLE'));
          if (gaveUp && i !== killed) {
            expectFine(await processes[i]!.do({ operation: 'open' }));
          }
        }
        await disturbing;
        await rm(places.fullDisk, { force: true });
        if (killed !== undefined) await startAt(killed);
      }
      most = Math.max(most, await temporaryFiles(places));
      return kinds;
    },
    figures: () => ({ 'temporary files at the end of a case, at most': most }),
    async close() {
      await Promise.all(processes.map((each) => each.kill()));
      await rm(parent, { recursive: true, force: true });
    },
  };
}

async function writeFiles(folder: string): Promise<void> {
  for (const name of CIRCUITS) {
    const { zkey, wasm, inputs, verificationKey } = await testCircuit(name);
    await writeFile(join(folder, `${name}.zkey`), zkey);
    await writeFile(join(folder, `${name}.wasm`), wasm);
    await writeFile(join(folder, `${name}.vkey.json`), JSON.stringify(verificationKey));
    await writeFile(
      join(folder, `${name}.inputs.json`),
      JSON.stringify(inputs, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
  }
  const random = new Random(5);
  const { points, factors } = progression(bn254, 300, 3n, 7n);
  const scalars = factors.map(() => random.below(bn254.fr.modulus));
  await writeFile(join(folder, 'points'), encodePoints(bn254, points));
  await writeFile(join(folder, 'scalars'), encodeScalars(scalars));
  await writeFile(join(folder, 'sum'), encodePoint('bn254', 'g1', multipleOf(bn254, dot(factors, scalars))));
}

function drawn(random: Random): CacheOperation {
  const circuit = CIRCUITS[random.integer(CIRCUITS.length)]!;
  const precompute = ([1, 1, 4, 'auto'] as const)[random.integer(4)]!;
  switch (random.integer(12)) {
    case 0:
      return { operation: 'clear' };
    case 1:
      return { operation: 'open', storageBudget: 1000 + random.integer(100_000) };
    case 2:
      return { operation: 'open' };
    case 3:
    case 4:
      return { operation: 'abort', circuit, ms: random.integer(60) };
    case 5:
    case 6:
    case 7:
      return { operation: 'sum', precompute };
    default:
      return { operation: 'prove', circuit, precompute };
  }
}

/** What happens to the storage while the processes use it. */
function drawnDisturbance(random: Random): (places: CachePlaces) => Promise<void> {
  const seed = random.below(1n << 64n);
  switch (random.integer(6)) {
    case 0:
      return (places) => evict(places, 2, new Random(seed));
    case 1:
      return (places) => evict(places, 1, new Random(seed));
    case 2:
      return ({ fullDisk }) => writeFile(fullDisk, '');
    default:
      return async () => undefined;
  }
}

/** Deletes one file of so many, as a storage manager does that makes room. */
async function evict(places: CachePlaces, among: number, random: Random): Promise<void> {
  for (const name of await filesOf(places)) {
    if (random.integer(among) === 0) await rm(join(ownFolder(places), name), { force: true });
  }
}

/** Checks an answer, and says what happened. */
function kindOf({ operation }: CacheOperation, answer: CacheAnswer | undefined): string {
  if (answer === undefined) return `${operation}: killed`;
  expectFine(answer);
  if (answer.cached === undefined) return operation;
  const codes = answer.notices.map((notice) => notice.split(':')[0]).filter((code) => code !== 'PRECOMPUTED');
  return [`${operation}: ${answer.cached ? 'cached' : 'prepared'}`, ...new Set(codes)].join(', ');
}

function expectFine(answer: CacheAnswer | undefined): void {
  if (answer?.error !== undefined) throw new Error(`expected no error, got ${answer.error} (${answer.notices})`);
  if (answer?.isRight === false) throw new Error('expected a right result, got a wrong one');
}

/**
 * Both processes clear the cache, and wait before that for what they write themselves. Nothing may be left then but the
 * temporary files of processes that were killed, and the next process that writes deletes these when they are old.
 */
async function expectCleared(processes: readonly CacheProcess[], places: CachePlaces): Promise<void> {
  for (const each of processes) expectFine(await each.do({ operation: 'clear' }));
  for (const name of await filesOf(places)) {
    if (!name.endsWith('.tmp')) throw new Error(`expected an empty cache, got ${name}`);
    const old = new Date(Date.now() - LONG_AGO);
    await utimes(join(ownFolder(places), name), old, old);
  }
  const [first] = processes;
  expectFine(await first!.do({ operation: 'open' }));
  expectFine(await first!.do({ operation: 'sum', precompute: 1 }));
  expectFine(await first!.do({ operation: 'clear' }));
  const left = await filesOf(places);
  if (left.length > 0) throw new Error(`expected an empty folder, got ${left}`);
}

async function temporaryFiles(places: CachePlaces): Promise<number> {
  return (await filesOf(places)).filter((name) => name.endsWith('.tmp')).length;
}

async function filesOf(places: CachePlaces): Promise<string[]> {
  return readdir(ownFolder(places)).catch(() => []);
}

function ownFolder({ directory }: CachePlaces): string {
  return join(directory, 'pippin-prepared');
}
