import { PippinError } from '../../base/errors.js';
import { plainError } from '../../base/plain-error.js';
import type { Journal } from '../session/journal.js';
import type { DeviceBudget } from './device-budget.js';
import type { LifecycleListener } from './page-lifecycle.js';
import { type ProofMaker, type ProofResult, type QueueOptions, WebviewQueue } from './proof-queue.js';
import type { HostMessage, HostMessageOf, PageMessage, Unversioned } from './protocol.js';
import { isMisunderstood, type Misunderstood, readHostMessage } from './read-message.js';

/** How proofs are handled when the app goes to the background. */
export type BackgroundPolicy = 'pause' | 'abort' | 'continue';

export interface ProofServerOptions extends QueueOptions {
  readonly background: BackgroundPolicy;
  /** Milliseconds that the page may be hidden before `background` takes effect. */
  readonly graceMs: number;
  readonly budget: DeviceBudget;
  /** Whether the app is in the foreground. */
  readonly isVisible: () => boolean;
  readonly setVisible: (visible: boolean) => void;
  readonly post: (message: Unversioned<PageMessage>) => void;
}

/** The maximum of pending proofs, whose inputs are in memory. */
const MOST_WAITING = 32;
/** The maximum of remembered failures. */
const MOST_FAILURES = 64;

/**
 * Handles the messages of an app: queues proofs, reports their state, stores results by id, and holds or ends proofs
 * when the page is hidden.
 */
export class ProofServer implements LifecycleListener {
  /** A random name of this page load. */
  private readonly page = randomName();
  private readonly queue: WebviewQueue;
  private readonly failures = new Map<string, PippinError>();
  private graceTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the page has been hidden for longer than the grace period. */
  private isInBackground = false;
  private hasEnded = false;

  constructor(
    private readonly options: ProofServerOptions,
    prover: ProofMaker,
    private readonly journal: Journal<ProofResult>,
  ) {
    this.queue = new WebviewQueue(options, prover, {
      onState: (state) => this.post({ type: 'state', ...state }),
      onProgress: (progress) => this.post({ type: 'progress', ...progress }),
      onResult: (result) => {
        journal.finish(result);
        this.post({ type: 'result', ...result });
      },
      onFailed: (id, error) => this.fail(id, error),
    });
    // A page that starts hidden has no work that a grace period would save.
    if (!options.isVisible()) this.enterBackground();
  }

  /** Handles a message of the app, which may be anything. */
  receive(data: unknown): void {
    if (this.hasEnded) return;
    const message = readHostMessage(data);
    if (isMisunderstood(message)) this.refuse(message);
    else this.handle(message);
  }

  /** Notifies the app that the page listens. */
  greet(): void {
    const { budget, circuits } = this.options;
    const proofs = this.queue.states();
    this.post({ type: 'ready', page: this.page, circuits: Object.keys(circuits), proofs, ...budget });
  }

  onHidden(): void {
    this.startGrace();
  }

  onVisible(): void {
    clearTimeout(this.graceTimer);
    this.isInBackground = false;
    this.queue.release();
  }

  onFreeze(): void {
    if (this.options.background === 'abort') this.enterBackground();
    else this.queue.freeze();
  }

  onResume(): void {
    this.queue.thaw();
    if (this.options.isVisible()) this.onVisible();
    // Frozen time does not count as hidden time.
    else if (!this.isInBackground) this.startGrace();
  }

  onLeave(): void {
    this.close();
  }

  /**
   * Ends all pending proofs and notifies the app at once, because the page may have no time left; the journal still
   * lists them.
   */
  close(): void {
    if (this.hasEnded) return;
    this.post({ type: 'leaving', page: this.page });
    this.hasEnded = true;
    clearTimeout(this.graceTimer);
    this.queue.close();
  }

  private handle(message: HostMessage): void {
    switch (message.type) {
      case 'hello':
        this.greet();
        break;
      case 'prove':
        this.ask(message);
        break;
      case 'cancel':
        this.cancel(message.id);
        break;
      case 'fetch':
        this.tell(message.id);
        break;
      case 'forget':
        this.forget(message.id);
        break;
      case 'trim':
        this.trim(message.level);
        break;
      case 'visibility':
        this.options.setVisible(message.visible);
        break;
    }
  }

  private ask({ id, circuit, inputs }: HostMessageOf<'prove'>): void {
    const refusal = this.refusalOf(id, circuit, inputs);
    if (refusal !== undefined) this.refuse({ error: refusal, id });
    else if (this.queue.state(id) !== undefined || this.journal.result(id) !== undefined) this.tell(id);
    else if (this.isInBackground && this.options.background === 'abort') this.fail(id, inBackground());
    else {
      this.failures.delete(id);
      this.journal.begin(id);
      this.queue.add(id, circuit, inputs);
    }
  }

  private refusalOf(id: string, circuit: string, inputs: HostMessageOf<'prove'>['inputs']): PippinError | undefined {
    const { circuits } = this.options;
    if (!Object.hasOwn(circuits, circuit)) {
      const names = Object.keys(circuits).join(', ');
      return new PippinError('INVALID_ARGUMENT', `expected a circuit of ${names}, got another name`);
    }
    if (this.queue.state(id) !== undefined) {
      if (this.queue.isOf(id, circuit, inputs)) return undefined;
      return new PippinError(
        'INVALID_ARGUMENT',
        'expected another id for another statement, got one that is waited for',
      );
    }
    if (this.queue.size < MOST_WAITING) return undefined;
    return new PippinError('OUT_OF_MEMORY', `expected at most ${MOST_WAITING} proofs at a time, got one more`);
  }

  /** Reports the state of a proof. */
  private tell(id: string): void {
    const state = this.queue.state(id);
    const result = this.journal.result(id);
    if (state !== undefined) this.post({ type: 'state', ...state });
    else if (result !== undefined) this.post({ type: 'result', ...result });
    else this.refuse({ error: this.failures.get(id) ?? this.absent(id), id });
  }

  private absent(id: string): PippinError {
    if (this.journal.wasInterrupted(id)) {
      return new PippinError('INTERRUPTED', 'the page was loaded again while the proof was made', { hint: SEND_AGAIN });
    }
    return new PippinError('INVALID_HANDLE', 'expected the id of a proof that was asked for, got another', {
      hint: 'failures and forgotten proofs are known for the life of the page only, results for a day',
    });
  }

  private cancel(id: string): void {
    if (this.queue.state(id) === undefined) this.tell(id);
    else this.queue.fail(id, new PippinError('ABORTED', 'the proof was cancelled by the app'));
  }

  private forget(id: string): void {
    if (this.queue.state(id) !== undefined) {
      const message = 'expected the id of a proof that has ended, got one under way';
      this.refuse({ error: new PippinError('INVALID_ARGUMENT', message), id });
      return;
    }
    this.failures.delete(id);
    this.journal.forget(id);
  }

  private trim(level: 'moderate' | 'critical'): void {
    if (level === 'critical') {
      const hint = 'ask again when the app is alone in the foreground, or let the page have a smaller memoryBudget';
      this.queue.failAll(new PippinError('OUT_OF_MEMORY', 'the system was short of memory', { hint }));
    }
    this.queue.trim();
  }

  private startGrace(): void {
    clearTimeout(this.graceTimer);
    this.graceTimer = setTimeout(() => {
      if (!this.options.isVisible()) this.enterBackground();
    }, this.options.graceMs);
  }

  private enterBackground(): void {
    const { background } = this.options;
    clearTimeout(this.graceTimer);
    this.isInBackground = true;
    if (background === 'continue') return;
    if (background === 'abort') this.queue.failAll(inBackground());
    this.queue.hold();
  }

  private fail(id: string, error: PippinError): void {
    this.journal.forget(id);
    this.failures.set(id, error);
    for (const oldest of [...this.failures.keys()].slice(0, Math.max(0, this.failures.size - MOST_FAILURES))) {
      this.failures.delete(oldest);
    }
    this.refuse({ error, id });
  }

  private refuse({ error, id }: Misunderstood): void {
    this.post({ type: 'failed', ...plainError(error), ...(id === undefined ? {} : { id }) });
  }

  private post(message: Unversioned<PageMessage>): void {
    if (!this.hasEnded) this.options.post(message);
  }
}

const SEND_AGAIN = 'send the proof again: its inputs are never kept';

function inBackground(): PippinError {
  return new PippinError('INTERRUPTED', 'the app went to the background', { hint: SEND_AGAIN });
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
