import type { Prover } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { indexedDbJournal, Journal, type JournalStore } from '../session/journal.js';
import type { ProofQueue, ProofQueueOptions, QueuedProof } from './api.js';
import { type BatterySource, QueuePauses, type VisibilitySource } from './queue-pauses.js';
import { type LockSource, TabLocks } from './tab-locks.js';
import { type KeptOutcome, WalletQueue } from './wallet-queue.js';

/** What a queue uses of the page that it is in. What is undefined the page does not have. */
export interface QueuePlatform {
  readonly locks: LockSource | undefined;
  readonly document: VisibilitySource | undefined;
  readonly getBattery: (() => Promise<BatterySource>) | undefined;
  openJournal(database: string): JournalStore<KeptOutcome> | undefined;
}

const MOST_PARALLEL = 16;
const MOST_KEYS = 64;
const USUAL_KEYS = 4;
const LONGEST_NAME = 64;
const USUAL_NAME = 'proofs';
const LOW_BATTERY = 0.2;
const DAY_MS = 24 * 3_600_000;
const MOST_TIMEOUT_MS = 2 ** 31 - 1;
const MOST_RESULTS = 1000;
const USUAL_RESULTS = 64;

/**
 * A queue of proofs on a prover, for a wallet that may be asked for several at once: order and priority, at most
 * `parallel` at a time over all pages of the origin, keys that are loaded by one page at a time so that the others find
 * them in the cache, cancelling, pauses, and results that survive a reload.
 *
 * Pages take turns by Web Locks, which browsers have in secure contexts (HTTPS, localhost). Without them a page takes
 * its turns alone.
 *
 * @param prover a prover of this page. It stays the caller's, who disposes of it after the queue.
 * @param options see `ProofQueueOptions`.
 * @returns the queue.
 * @throws {PippinError} INVALID_ARGUMENT for options that do not exist or are out of range.
 * @example
 * ```js
 * import { createProver } from 'pippin-prover';
 * import { createProofQueue } from 'pippin-prover/queue';
 *
 * const queue = createProofQueue(await createProver(), { pauseWhenHidden: true });
 * const { proof } = await queue.add({ zkey: '/keys/note.zkey', circuit: '/keys/note.wasm', inputs });
 * console.log(proof);
 * ```
 */
export function createProofQueue(prover: Prover, options: ProofQueueOptions = {}): ProofQueue {
  const page = globalThis as Partial<Pick<typeof globalThis, 'navigator' | 'document'>>;
  const { locks, getBattery } = (page.navigator ?? {}) as {
    readonly locks?: LockSource;
    readonly getBattery?: () => Promise<BatterySource>;
  };
  const platform = { locks, document: page.document, getBattery: getBattery?.bind(page.navigator) };
  return proofQueueOn({ ...platform, openJournal: indexedDbJournal }, prover, options);
}

/** The same for a page that is given. */
export function proofQueueOn(platform: QueuePlatform, prover: Prover, options: ProofQueueOptions): ProofQueue {
  const reader = new OptionReader(options, 'the options of createProofQueue');
  const name = reader.read('name') ?? USUAL_NAME;
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) {
    throw reader.wrong('name', `a text of 1 to ${LONGEST_NAME} characters`, name);
  }
  const parallel = reader.integer('parallel', 1, MOST_PARALLEL) ?? 1;
  const maxKeyBytes = reader.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes') ?? Number.POSITIVE_INFINITY;
  const maxKeys = reader.integer('maxKeys', 1, MOST_KEYS) ?? USUAL_KEYS;
  const keepMs = reader.number('keepResultsMs', 0, MOST_TIMEOUT_MS, 'milliseconds') ?? DAY_MS;
  const most = reader.integer('maxResults', 1, MOST_RESULTS) ?? USUAL_RESULTS;
  const pausesHidden = reader.flag('pauseWhenHidden', false);
  const batteryLevel = batteryOption(reader);
  const onChange = reader.listener<QueuedProof>('onChange');
  reader.expectNoOthers();

  const store = keepMs === 0 ? undefined : platform.openJournal(`pippin-queue-${name}`);
  const journal = new Journal<KeptOutcome>(store, Date.now, { most, keepMs });
  const locks = new TabLocks(platform.locks, name);
  const pauses = new QueuePauses((isHeld) => queue.hold(isHeld));
  const queue = new WalletQueue(prover, { parallel, maxKeys, maxKeyBytes, journal, locks, pauses, onChange });
  if (pausesHidden && platform.document !== undefined) pauses.watchVisibility(platform.document);
  if (batteryLevel > 0 && platform.getBattery !== undefined) {
    void pauses.watchBattery(platform.getBattery, batteryLevel);
  }
  return queue;
}

/** The level of the battery below which proofs wait; 0 for none. */
function batteryOption(options: OptionReader): number {
  const given = options.read('pauseOnLowBattery') ?? false;
  if (typeof given === 'boolean') return given ? LOW_BATTERY : 0;
  if (typeof given === 'number' && given >= 0 && given <= 1) return given;
  throw options.wrong('pauseOnLowBattery', 'true, false or a level from 0 to 1', given);
}
