import { type Measured, type Watch, WrongProof } from './measure.js';
import { memoryOf } from './memory.js';

/**
 * snarkjs is under the GPL, so it is no part of this page: the repository's own server offers it at this address, in a
 * document with a policy of its own, since snarkjs makes its workers from data. On other servers there is none.
 */
const FRAME = new URL('./snarkjs/frame.html', location.href);

/** What snarkjs proves with: a key, and a witness or what it computes one from for each proof. */
export type SnarkjsWork = { readonly zkey: Blob } & (
  | { readonly witness: Uint8Array }
  | { readonly wasm: Blob; readonly inputs: Record<string, unknown> }
);

/** What the document answers. Times are in milliseconds. */
type FrameAnswer =
  | { readonly kind: 'stage'; readonly stage: 'load' | 'first' | 'later' }
  | {
      readonly kind: 'measured';
      readonly firstMs: number;
      readonly laterMs: readonly number[];
      readonly openMs: number;
      readonly verified: boolean;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Whether this server offers snarkjs. */
export async function hasSnarkjs(): Promise<boolean> {
  try {
    return (await fetch(FRAME, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}

/**
 * Measures snarkjs on the same files, in a frame that is removed afterwards. Its first proof includes reading the key.
 */
export async function measureSnarkjs(work: SnarkjsWork, { signal, onStage }: Watch): Promise<Measured> {
  signal.throwIfAborted();
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'snarkjs';
  const port = new MessageChannel();
  try {
    await new Promise((resolve, reject) => {
      frame.onload = resolve;
      frame.onerror = reject;
      frame.src = FRAME.href;
      document.body.append(frame);
    });
    signal.throwIfAborted();
    const done = new Promise<Measured>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      port.port1.onmessage = ({ data }: MessageEvent<FrameAnswer>) => {
        if (data.kind === 'stage') onStage(data.stage, 0);
        else if (data.kind === 'failed') reject(new Error(data.message));
        else if (!data.verified) reject(new WrongProof('expected a proof that holds, got one that does not'));
        else {
          const { openMs, firstMs, laterMs } = data;
          const times = { openMs, loadMs: 0, firstMs, laterMs, timeline: [] };
          onStage('memory', 0);
          memoryOf(undefined, signal)
            .then((memory) => ({ executor: 'its own workers', ...times, ...(memory === undefined ? {} : { memory }) }))
            .then(resolve, reject);
        }
      };
    });
    frame.contentWindow?.postMessage(work, location.origin, [port.port2]);
    return await done;
  } finally {
    port.port1.close();
    frame.remove();
  }
}
