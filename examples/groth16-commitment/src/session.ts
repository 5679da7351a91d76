import {
  type BackendChoice,
  type CallOptions,
  createProver,
  type Groth16Key,
  type Groth16VerificationKey,
  type Notice,
  type ProveResult,
  type Prover,
} from 'pippin-prover';
import keyUrl from '../key/note.pzkey?url';
import verificationKey from '../key/note.vkey.json';
import wasmUrl from '../key/note.wasm?url';
import sha256 from '../key/sha256.json';
import { type Note, spendInputs } from './notes.js';

/** What the visitor has chosen to prove with. */
export interface Choice {
  readonly backend: BackendChoice;
  /** Kernel workers; undefined leaves the number to the prover. */
  readonly threads: number | undefined;
}

export interface SpendResult extends ProveResult {
  /** Of the whole call, from here. */
  readonly ms: number;
  /** Whether the proof holds under the page's own copy of the verification key. */
  readonly verified: boolean;
  readonly verifyMs: number;
}

/** A prover with the example's key loaded. This is everything that the page uses of Pippin. */
export class Session {
  private constructor(
    readonly choice: Choice,
    readonly prover: Prover,
    readonly key: Groth16Key,
    /** Milliseconds until the workers and the GPU were open. */
    readonly openMs: number,
    /** Milliseconds that the key took after that. */
    readonly keyMs: number,
  ) {}

  /**
   * Opens a prover and loads the packed key, from the cache where it is there. A file with another hash than the one that
   * was built into the page is refused.
   */
  static async start(choice: Choice, options: CallOptions, onNotice: (notice: Notice) => void): Promise<Session> {
    const began = performance.now();
    const { backend, threads } = choice;
    const prover = await createProver({ backend, onNotice, ...(threads === undefined ? {} : { threads }) });
    const opened = performance.now();
    try {
      const key = await prover.groth16.loadKey(new URL(keyUrl, location.href), {
        ...options,
        sha256: sha256['note.pzkey'],
      });
      return new Session(choice, prover, key, opened - began, performance.now() - opened);
    } catch (error) {
      await prover.dispose();
      throw error;
    }
  }

  /** Proves that a note may be spent to a recipient, and verifies the proof with the page's own verification key. */
  async spend(note: Note, recipient: string, options: CallOptions): Promise<SpendResult> {
    const { groth16 } = this.prover;
    const began = performance.now();
    const witnessWasm = new URL(wasmUrl, location.href);
    const result = await groth16.fullProve(this.key, spendInputs(note, recipient), witnessWasm, options);
    const proved = performance.now();
    const vkey = verificationKey as Groth16VerificationKey;
    const verified = await groth16.verify(vkey, result.publicSignals, result.proof);
    return { ...result, ms: proved - began, verified, verifyMs: performance.now() - proved };
  }

  /** Ends the prover. With `forget` it also deletes everything that the prover has cached on this device. */
  async end(forget: boolean): Promise<void> {
    try {
      if (forget) await this.prover.clearCache();
    } finally {
      await this.prover.dispose();
    }
  }
}
