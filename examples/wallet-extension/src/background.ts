import {
  connectProver,
  type Groth16VerificationKey,
  type KeyFile,
  PippinError,
  type ProveResult,
} from 'pippin-prover/extension';
import zkey from '../../groth16-commitment/key/note.pzkey?url';
import verificationKey from '../../groth16-commitment/key/note.vkey.json';
import wasm from '../../groth16-commitment/key/note.wasm?url';
import sha256 from '../../groth16-commitment/key/sha256.json';
import { NOTES } from './notes.js';
import { isRequest, type Request } from './requests.js';
import { clearSpend, readSpend, type Spend, writeSpend } from './spends.js';

/**
 * The service worker. It decides what is spent and keeps what became of it, and may be ended at any time: the proof goes on in the offscreen
 * document under the spend's id, and is looked for when this script runs again.
 */
const prover = connectProver({ justification: 'Computes the zero-knowledge proof of a payment in workers.' });

/** The document loads it within the proof, so that loading goes on, too, when this script is ended. */
const KEY: KeyFile = {
  zkey,
  options: { sha256: sha256['note.pzkey'], verificationKey: verificationKey as Groth16VerificationKey },
};

/** Aborts the proof that this life of the service worker follows. */
let following: { readonly id: string; readonly controller: AbortController } | undefined;

/** Requests are served one after another. */
let queue: Promise<unknown> = look().catch(report);

chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
  if (!isRequest(message, sender)) return false;
  queue = queue
    .then(() => serve(message))
    .catch(report)
    .finally(() => respond());
  // The answer comes later.
  return true;
});

/** What the browser's storage refused must not keep later requests from being served. */
function report(error: unknown): void {
  console.error(error);
}

async function serve(request: Request): Promise<void> {
  switch (request.type) {
    case 'spend':
      return spend(request.note, request.recipient);
    case 'cancel':
      return cancel(request.id);
    case 'clear':
      return clear();
    case 'look':
      return look();
  }
}

/** Begins to prove, unless another popup has begun a spend. */
async function spend(note: number, recipient: string): Promise<void> {
  const chosen = NOTES[note];
  if (chosen === undefined || !/^0x[0-9a-f]{40}$/i.test(recipient)) return;
  if ((await readSpend())?.state === 'proving') return;
  const begun: Spend = { id: crypto.randomUUID(), note, recipient, state: 'proving', began: Date.now() };
  await writeSpend(begun);
  const inputs = { ...chosen.inputs, recipient: BigInt(recipient).toString() };
  follow(begun, (signal) => prover.groth16.fullProve(KEY, inputs, wasm, { id: begun.id, signal }));
}

async function cancel(id: string): Promise<void> {
  const spend = await readSpend();
  if (spend?.id !== id || spend.state !== 'proving') return;
  if (following?.id === id) following.controller.abort();
  await prover.discard(id).catch(() => undefined);
  await writeSpend({ ...spend, state: 'cancelled' });
}

async function clear(): Promise<void> {
  const spend = await readSpend();
  if (spend === undefined || spend.state === 'proving') return;
  await clearSpend();
}

/** Takes up a spend that an earlier life of the service worker began: its proof goes on, has ended, or is gone with the document. */
async function look(): Promise<void> {
  const spend = await readSpend();
  if (spend?.state !== 'proving' || following?.id === spend.id) return;
  follow(spend, (signal) => prover.result(spend.id, { signal }));
}

/** Waits for a proof and writes down what became of it. */
function follow(spend: Spend, prove: (signal: AbortSignal) => Promise<ProveResult>): void {
  const controller = new AbortController();
  const own = { id: spend.id, controller };
  following = own;
  void prove(controller.signal)
    .then(
      ({ proof, publicSignals }): Spend => {
        const ms = Date.now() - spend.began;
        return { ...spend, state: 'proved', ms, proof: { proof, publicSignals } };
      },
      (error: unknown): Spend => {
        const code = error instanceof PippinError ? error.code : 'UNKNOWN';
        return { ...spend, ...(code === 'ABORTED' ? { state: 'cancelled' } : { state: 'failed', code }) };
      },
    )
    .then((ended) => {
      // In turn with the requests, so that no cancel comes between reading and writing.
      queue = queue
        .then(() => {
          if (following === own) following = undefined;
          return writeDown(ended);
        })
        .catch(report);
    });
}

async function writeDown(ended: Spend): Promise<void> {
  const current = await readSpend();
  // It may have been cancelled meanwhile.
  if (current?.id === ended.id && current.state === 'proving') await writeSpend(ended);
  // The document need not keep it any more.
  if (ended.state === 'proved') await prover.discard(ended.id).catch(() => undefined);
}
