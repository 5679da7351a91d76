import process from 'node:process';
import { PippinError } from 'pippin-prover';
import type { FromWorker, ToWorker } from './processes/worker-process.js';
import { jobErrorFrom } from './queue/job.js';
import { ProofWorker } from './worker/proof-worker.js';

/**
 * The grace period after the drain timeout, after which the process ends anyway: Redis may be gone, so that jobs cannot
 * be returned.
 */
const GRACE_MS = 5000;

/** The drain timeout after a signal, or after the farm is gone. */
const USUAL_DRAIN_MS = 60_000;

/**
 * Runs a worker process: it starts when the farm sends the options, and drains on request, on SIGTERM and SIGINT, or
 * when the farm is gone.
 */
function runWorkerProcess(): void {
  let worker: Promise<ProofWorker> | undefined;
  let isEnding = false;
  const drain = async (ms: number): Promise<void> => {
    // A second signal ends it at once; another worker repeats its jobs.
    if (isEnding) process.exit(1);
    isEnding = true;
    setTimeout(() => process.exit(1), ms + GRACE_MS).unref();
    await (await worker?.catch(() => undefined))?.drain(ms);
    process.exit(0);
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'drain') void drain(message.ms);
    else worker ??= start(message.options);
  });
  process.on('SIGTERM', () => void drain(USUAL_DRAIN_MS));
  process.on('SIGINT', () => void drain(USUAL_DRAIN_MS));
  process.on('disconnect', () => {
    if (!isEnding) void drain(USUAL_DRAIN_MS);
  });
}

async function start(options: Extract<ToWorker, { kind: 'start' }>['options']): Promise<ProofWorker> {
  try {
    const worker = await ProofWorker.start({ ...options, onEvent: (event) => send({ kind: 'event', event }) });
    send({ kind: 'started' });
    return worker;
  } catch (thrown) {
    const error = jobErrorFrom(thrown);
    send({ kind: 'not-started', error }, () => process.exit(1));
    throw new PippinError(error.code, error.message);
  }
}

function send(message: FromWorker, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then);
}

runWorkerProcess();
