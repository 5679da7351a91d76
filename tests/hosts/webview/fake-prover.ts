import type { ProveResult } from '../../../sdk/api/index.js';
import type { Phase } from '../../../sdk/api/progress.js';
import { PippinError } from '../../../sdk/base/errors.js';
import type { PageProofRequest } from '../../../sdk/hosts/webview/page-prover.js';
import type { ProofMaker } from '../../../sdk/hosts/webview/proof-queue.js';

/** What a fake prover gives for a proof. */
export const MADE: ProveResult = {
  proof: { pi_a: ['1'], pi_b: [['2']], pi_c: ['3'], protocol: 'groth16', curve: 'bn128' },
  publicSignals: ['4'],
  report: { backend: 'wasm', parts: {}, executors: {}, ms: { total: 0 }, timeline: [], notices: [] },
};

/** Proofs that end when a test says so. An aborted one rejects, as the engine does. */
export class FakeProver implements ProofMaker {
  /** The proofs that were begun. */
  readonly requests: PageProofRequest[] = [];
  closed = 0;
  private end: { resolve: (result: ProveResult) => void; reject: (error: unknown) => void } | undefined;

  prove(request: PageProofRequest): Promise<ProveResult> {
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      this.end = { resolve, reject };
      request.signal.addEventListener('abort', () => reject(new PippinError('ABORTED', 'the call was aborted')));
    });
  }

  close(): void {
    this.closed++;
  }

  progress(fraction: number, phase: Phase = 'msm'): void {
    this.requests.at(-1)!.onProgress(fraction, phase);
  }

  /** Ends the proof that is being made, and waits until the queue knows. */
  async finish(error?: PippinError): Promise<void> {
    if (error === undefined) this.end!.resolve(MADE);
    else this.end!.reject(error);
    await settled();
  }
}

/** Lets promises that have settled be heard of. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
