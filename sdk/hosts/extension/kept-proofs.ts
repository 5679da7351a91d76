import type { AnyProveResult } from '../../api/index.js';
import type { ProgressListener } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { SingleFlight } from '../session/single-flight.js';
import type { KeptProof } from './api.js';

interface Entry {
  readonly work: SingleFlight<AnyProveResult>;
  readonly began: number;
  state: KeptProof['state'];
  /** Cancels the timer after which the result is dropped. */
  timer?: ReturnType<typeof setTimeout>;
}

/** The proofs with an `id`: pending ones, and the latest results, bounded in time and number. */
export class KeptProofs {
  private readonly entries = new Map<string, Entry>();

  /** @param onEnded called with each proof that has ended. */
  constructor(
    private readonly keepMs: number,
    private readonly most: number,
    private readonly onEnded: (id: string) => void,
  ) {}

  /** The number of pending proofs and of results. */
  get size(): number {
    return this.entries.size;
  }

  /** Starts a proof. `INVALID_ARGUMENT` for an id in use, or if so many are pending that none can be evicted. */
  begin(
    id: string,
    start: (signal: AbortSignal, onProgress: ProgressListener) => Promise<AnyProveResult>,
  ): SingleFlight<AnyProveResult> {
    if (this.entries.has(id)) {
      throw new PippinError('INVALID_ARGUMENT', 'expected an id that no kept proof has, got one that is in use', {
        hint: 'wait for that proof with result(id), or discard(id) it first',
      });
    }
    this.makeRoom();
    const work = new SingleFlight(start, true);
    const entry: Entry = { work, began: Date.now(), state: 'proving' };
    this.entries.set(id, entry);
    const end = (state: KeptProof['state']): void => {
      entry.state = state;
      if (this.entries.get(id) === entry) entry.timer = setTimeout(() => this.entries.delete(id), this.keepMs);
      this.onEnded(id);
    };
    work.outcome.then(
      () => end('proved'),
      () => end('failed'),
    );
    return work;
  }

  get(id: string): SingleFlight<AnyProveResult> | undefined {
    return this.entries.get(id)?.work;
  }

  /** Aborts a pending proof, and deletes its result. */
  discard(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.entries.delete(id);
    entry.work.abort();
  }

  clear(): void {
    for (const id of [...this.entries.keys()]) this.discard(id);
  }

  list(): KeptProof[] {
    return [...this.entries].map(([id, { work, began, state }]) => {
      const { progress } = work;
      if (progress === undefined) return { id, state, began };
      const { phase, done, total } = progress;
      return { id, state, began, progress: { phase, done, total } };
    });
  }

  private makeRoom(): void {
    if (this.entries.size < this.most) return;
    const ended = [...this.entries].find(([, { state }]) => state !== 'proving');
    if (ended === undefined) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected at most ${this.most} proofs with an id under way, got one more`,
      );
    }
    this.discard(ended[0]);
  }
}
