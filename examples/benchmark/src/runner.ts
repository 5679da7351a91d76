import { failureOf } from '../../groth16-commitment/src/failures.js';
import { describeError } from '../../groth16-commitment/src/report.js';
import { type ContestantId, contestant } from './contestants.js';
import { type TestKey, TestKeyMaker } from './key/test-key.js';
import { proofFault, sizeFault } from './limits.js';
import { measurePippin, type Watch, WrongProof } from './measure.js';
import { measureSnarkjs } from './measure-snarkjs.js';
import { laterMs, type Result, type Skipped } from './results.js';
import { constraintsOf, type Size, sizeName } from './sizes.js';

/** What the visitor wants measured. */
export interface Wish {
  /** From the smallest to the largest. */
  readonly sizes: readonly Size[];
  readonly contestants: readonly ContestantId[];
}

/** What is told while a run goes on. */
export interface RunListener {
  /** The size and contestant that are begun, before the device is put under load. */
  onBegin(log: number, contestant: ContestantId | undefined): void;
  onDoing(text: string, fraction: number): void;
  onResult(result: Result): void;
  onSkipped(skipped: Skipped): void;
}

/** Parts of the work on a size: its key, and for each contestant loading, the first proof and later ones. */
const KEY_SHARE = 0.3;
const STAGES = {
  load: { text: 'Loading the key', from: 0, to: 0.25 },
  first: { text: 'The first proof', from: 0.25, to: 0.5 },
  later: { text: 'Later proofs', from: 0.5, to: 1 },
} as const;

/**
 * Measures sizes from the smallest upwards, and each on all contestants that are still quick enough. A contestant that fails drops out, and the
 * others go on. Rejects with the signal's reason when it is aborted; all results until then have been told.
 */
export async function runBenchmark(wish: Wish, signal: AbortSignal, listener: RunListener): Promise<void> {
  const maker = new TestKeyMaker();
  try {
    await measureSizes(wish, maker, signal, listener);
  } finally {
    maker.end();
  }
}

async function measureSizes(
  wish: Wish,
  maker: TestKeyMaker,
  signal: AbortSignal,
  listener: RunListener,
): Promise<void> {
  const last = new Map<ContestantId, { readonly log: number; readonly laterMs: number }>();
  const dropped = new Set<ContestantId>();
  let lastKey: { readonly log: number; readonly ms: number } | undefined;
  const shares = sharesOf(wish.sizes);

  for (const [index, { log }] of wish.sizes.entries()) {
    const share = shares[index]!;
    const doing = (text: string, fraction: number): void =>
      listener.onDoing(`${sizeName(log)}: ${text}`, share.from + (share.to - share.from) * fraction);

    const able = wish.contestants.filter((id) => {
      if (dropped.has(id)) return false;
      const reason = proofFault(log, last.get(id));
      if (reason === undefined) return true;
      dropped.add(id);
      listener.onSkipped({ log, contestant: id, reason });
      return false;
    });
    if (able.length === 0) return;
    const reason = sizeFault(log, deviceGigabytes(), lastKey);
    if (reason !== undefined) {
      listener.onSkipped({ log, reason });
      return;
    }

    listener.onBegin(log, undefined);
    let key: TestKey;
    try {
      key = await maker.make(log, signal, (f) => doing('Making a key for timing', KEY_SHARE * f));
    } catch (error) {
      signal.throwIfAborted();
      listener.onSkipped({ log, reason: `its test key could not be made: ${describeError(error).message}` });
      return;
    }
    lastKey = { log, ms: key.ms };

    for (const [turn, id] of able.entries()) {
      listener.onBegin(log, id);
      const part = (1 - KEY_SHARE) / able.length;
      const watch: Watch = {
        signal,
        onStage: (stage, fraction) => {
          const { text, from, to } = STAGES[stage];
          doing(`${text} ${contestant(id).adverb}`, KEY_SHARE + part * (turn + from + (to - from) * fraction));
        },
      };
      try {
        const measured = await (id === 'snarkjs' ? measureSnarkjs(key, watch) : measurePippin(id, key, watch));
        const result: Result = { log, constraints: constraintsOf(log), contestant: id, ...measured };
        last.set(id, { log, laterMs: laterMs(result) });
        listener.onResult(result);
      } catch (error) {
        signal.throwIfAborted();
        dropped.add(id);
        listener.onSkipped({ log, contestant: id, reason: reasonOf(error) });
      }
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WrongProof)
    return 'made a proof that does not hold, so its times are not shown. Please report it';
  const { code, message } = describeError(error);
  if (code === 'UNKNOWN') return message;
  return `${failureOf(code, 'proving').headline.replace(/^./, (first) => first.toLowerCase())} (${code})`;
}

/** Which part of the progress a size takes: a larger one more, but not as much more as it costs, since it may be left out. */
function sharesOf(sizes: readonly Size[]): { readonly from: number; readonly to: number }[] {
  const weights = sizes.map(({ log }) => 2 ** (log / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let from = 0;
  return weights.map((weight) => {
    const share = { from, to: from + weight / total };
    from = share.to;
    return share;
  });
}

/** The memory of the device as the browser tells it (Device Memory API, Chromium alone): rounded, and at most 8 or so. */
export function deviceGigabytes(): number | undefined {
  return 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : undefined;
}
