import type { ProductTimes } from 'pippin-prover';
import { failureOf } from '../../groth16-commitment/src/failures.js';
import { describeError } from '../../groth16-commitment/src/report.js';
import { type ContestantId, contestant } from './contestants.js';
import { type TestKey, TestKeyMaker } from './key/test-key.js';
import { proofFault, sizeFault } from './limits.js';
import { type Measured, measurePippin, type Subject, systemOf, type Watch, WrongProof } from './measure.js';
import { measureSnarkjs, type SnarkjsWork } from './measure-snarkjs.js';
import type { OwnCircuit } from './own/own-files.js';
import { factsOf, ownSnarkjsWork, ownSubject } from './own/own-subject.js';
import { measureProducts } from './products.js';
import { constraintsOf, type Protocol } from './protocols.js';
import { type CircuitFacts, laterMs, type Result, type Skipped } from './results.js';
import { type Size, sizeName } from './sizes.js';

/** What the visitor wants measured. */
export interface Wish {
  /** The visitor's own circuit, in place of the sizes. */
  readonly circuit?: OwnCircuit;
  /** The proof system of the sizes. */
  readonly protocol: Protocol;
  /** From the smallest to the largest. */
  readonly sizes: readonly Size[];
  readonly contestants: readonly ContestantId[];
  /** Proofs after the first one. */
  readonly repeats: number;
}

/** What is told while a run goes on. */
export interface RunListener {
  /** The size and contestant that are begun, before the device is put under load; the size of an own circuit is 0. */
  onBegin(log: number, contestant: ContestantId | undefined): void;
  onDoing(text: string, fraction: number): void;
  onCircuit(facts: CircuitFacts, protocol: Protocol): void;
  onResult(result: Result): void;
  onProducts(times: ProductTimes): void;
  onSkipped(skipped: Skipped): void;
}

/** Parts of the work on a size: its key, and for each contestant loading, the first proof and later ones. */
const KEY_SHARE = 0.3;
const STAGES = {
  load: { text: 'Loading the key', from: 0, to: 0.25 },
  first: { text: 'The first proof', from: 0.25, to: 0.5 },
  later: { text: 'Later proofs', from: 0.5, to: 1 },
  memory: { text: 'Asking for the memory', from: 1, to: 1 },
} as const;

/** How far the work on a circuit is, from 0 to 1, and what is done. */
type Doing = (text: string, fraction: number) => void;

/**
 * Measures the visitor's circuit, or sizes from the smallest upwards, each on all contestants that are still quick
 * enough. A contestant that fails drops out, and the others go on. Rejects with the signal's reason when it is aborted;
 * all results until then have been told.
 */
export async function runBenchmark(wish: Wish, signal: AbortSignal, listener: RunListener): Promise<void> {
  let hasGpu = false;
  const heard: RunListener = {
    ...listener,
    onResult: (result) => {
      hasGpu ||= result.contestant === 'webgpu';
      listener.onResult(result);
    },
  };
  if (wish.circuit !== undefined) await measureOwn(wish.circuit, wish, signal, heard);
  else {
    const maker = new TestKeyMaker();
    try {
      await measureSizes(wish, maker, signal, heard);
    } finally {
      maker.end();
    }
  }
  if (!hasGpu) return;
  listener.onDoing('Comparing field products on the graphics processor', 1);
  const products = await measureProducts(signal);
  if (products !== undefined) listener.onProducts(products);
}

async function measureOwn(circuit: OwnCircuit, wish: Wish, signal: AbortSignal, listener: RunListener): Promise<void> {
  let domainSize = 1;
  const subject = ownSubject(circuit, (key) => {
    domainSize = key.domainSize;
    listener.onCircuit(factsOf(circuit, key), key.protocol);
  });
  const snarkjsWork = () => ownSnarkjsWork(circuit);
  const doing: Doing = (text, fraction) => listener.onDoing(`${circuit.name}: ${text}`, fraction);
  for (const [turn, id] of wish.contestants.entries()) {
    listener.onBegin(0, id);
    const share = { from: turn / wish.contestants.length, to: (turn + 1) / wish.contestants.length };
    try {
      const measured = await measure(id, { subject, snarkjsWork }, wish, watchOf(id, share, signal, doing));
      listener.onResult({ log: Math.log2(domainSize), constraints: domainSize, contestant: id, ...measured });
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = describeError(error);
      const known = error instanceof WrongProof || code === 'UNKNOWN';
      // The files are the visitor's, who can do something about what the prover found in them.
      listener.onSkipped({ log: 0, contestant: id, reason: known ? reasonOf(error) : `${message} (${code})` });
    }
    signal.throwIfAborted();
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
    const doing: Doing = (text, fraction) =>
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
    const reason = sizeFault(wish.protocol, log, deviceGigabytes(), lastKey);
    if (reason !== undefined) {
      listener.onSkipped({ log, reason });
      return;
    }

    listener.onBegin(log, undefined);
    let key: TestKey;
    try {
      key = await maker.make(wish.protocol, log, signal, (f) => doing('Making a key for timing', KEY_SHARE * f));
    } catch (error) {
      signal.throwIfAborted();
      listener.onSkipped({ log, reason: `its test key could not be made: ${describeError(error).message}` });
      return;
    }
    lastKey = { log, ms: key.ms };
    const { zkey, witness } = key;
    const subject: Subject = {
      zkey,
      ready: async (prover) => (loaded, options) => systemOf(prover, wish.protocol).prove(loaded, witness, options),
    };
    const work = { subject, snarkjsWork: async () => ({ zkey, witness }) };

    for (const [turn, id] of able.entries()) {
      listener.onBegin(log, id);
      const part = (1 - KEY_SHARE) / able.length;
      const turnShare = { from: KEY_SHARE + part * turn, to: KEY_SHARE + part * (turn + 1) };
      try {
        const measured = await measure(id, work, wish, watchOf(id, turnShare, signal, doing));
        const result: Result = { log, constraints: constraintsOf(wish.protocol, log), contestant: id, ...measured };
        last.set(id, { log, laterMs: laterMs(result) });
        listener.onResult(result);
      } catch (error) {
        signal.throwIfAborted();
        dropped.add(id);
        listener.onSkipped({ log, contestant: id, reason: reasonOf(error) });
      }
      signal.throwIfAborted();
    }
  }
}

/** A circuit for Pippin and for snarkjs. */
interface Work {
  readonly subject: Subject;
  snarkjsWork(): Promise<SnarkjsWork>;
}

async function measure(id: ContestantId, work: Work, { repeats }: Wish, watch: Watch): Promise<Measured> {
  if (id === 'snarkjs') return measureSnarkjs(await work.snarkjsWork(), watch);
  return measurePippin(id, work.subject, repeats, watch);
}

/** Tells what a contestant does in its share of the work. */
function watchOf(id: ContestantId, share: Share, signal: AbortSignal, doing: Doing): Watch {
  return {
    signal,
    onStage: (stage, fraction) => {
      const { text, from, to } = STAGES[stage];
      const done = from + (to - from) * fraction;
      doing(`${text} ${contestant(id).adverb}`, share.from + (share.to - share.from) * done);
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof WrongProof)
    return 'made a proof that does not hold, so its times are not shown. Please report it';
  const { code, message } = describeError(error);
  if (code === 'UNKNOWN') return message;
  return `${failureOf(code, 'proving').headline.replace(/^./, (first) => first.toLowerCase())} (${code})`;
}

interface Share {
  readonly from: number;
  readonly to: number;
}

/**
 * Which part of the progress a size takes: a larger one more, but not as much more as it costs, since it may be left
 * out.
 */
function sharesOf(sizes: readonly Size[]): Share[] {
  const weights = sizes.map(({ log }) => 2 ** (log / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let from = 0;
  return weights.map((weight) => {
    const share = { from, to: from + weight / total };
    from = share.to;
    return share;
  });
}

/**
 * The memory of the device as the browser tells it (Device Memory API, Chromium alone): rounded, and at most 8 or so.
 */
export function deviceGigabytes(): number | undefined {
  return 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : undefined;
}
