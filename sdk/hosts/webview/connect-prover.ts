import type { CircuitInputs } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { Listener } from '../../base/listener.js';
import { OptionReader } from '../../base/option-reader.js';
import { errorOf } from '../../base/plain-error.js';
import { CancelledCalls } from './cancelled-calls.js';
import {
  encodeMessage,
  type HostMessage,
  ID_PATTERN,
  MAX_MESSAGE_LENGTH,
  type PageMessage,
  type PageMessageOf,
  type ProofState,
  type Unversioned,
} from './protocol.js';
import { isForPippin, isMisunderstood, readPageMessage } from './read-message.js';

/** Options of `connectProver`. */
export interface ConnectOptions {
  /**
   * Sends a text to the page, such as `(text) => webView.postMessage(text)`. It may do nothing while there is no page.
   */
  readonly send: (text: string) => void;
  /**
   * Retries of a proof whose page was reloaded in the middle of it, 0 to 100.
   *
   * @defaultValue 2
   */
  readonly resends?: number;
  /**
   * The timeout in milliseconds of a proof that waits for a page that is ready, 0 to 2^31 - 1. It restarts when the
   * page leaves or is lost, and when the app comes to the foreground (`setVisible`); it is suspended in the background,
   * since the system may have stopped the page.
   *
   * @defaultValue 60 000
   */
  readonly readyTimeout?: number;
  /**
   * Called when the page is ready, each time that it is loaded.
   *
   * @defaultValue none
   */
  readonly onReady?: (ready: PageMessageOf<'ready'>) => void;
  /**
   * Called with the notices of the page's prover.
   *
   * @defaultValue none
   */
  readonly onNotice?: (notice: PageMessageOf<'notice'>) => void;
}

/** Options of one proof. */
export interface AskOptions {
  /**
   * The proof's id. An app that may be terminated during a proof stores the id with its transaction and requests the
   * proof with it again: one that is finished is returned at once.
   *
   * @defaultValue a new one
   */
  readonly id?: string;
  /**
   * Cancels the proof when it fires (`ABORTED`).
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal;
  /**
   * Called with the completed fraction, 0 to 1. It never decreases, even if the proof restarts.
   *
   * @defaultValue none
   */
  readonly onProgress?: (fraction: number, progress: PageMessageOf<'progress'>) => void;
  /**
   * Called when the proof is queued, starts or is paused.
   *
   * @defaultValue none
   */
  readonly onState?: (state: ProofState) => void;
}

/** A proof as the page returns it: its id, the proof and the public signals. */
export type WebviewProof = Omit<PageMessageOf<'result'>, 'pippin' | 'type'>;

/** An app's side of the bridge. */
export interface ProverConnection {
  /**
   * Receives a message of the page. Other libraries' messages are ignored. Throws nothing.
   *
   * @param data what the webview's message event holds.
   * @returns nothing.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * // In React Native: <WebView onMessage={onMessage} />
   * const onMessage = (event: { nativeEvent: { data: string } }) => connection.receive(event.nativeEvent.data);
   * ```
   */
  receive(data: unknown): void;
  /**
   * Requests a proof from the page, as soon as it is ready. It rejects with the errors of `fullProve` as well.
   *
   * @param circuit one of the page's `circuits`, by its name.
   * @param inputs the circuit's input signals by name; numbers from 2^53 on as bigints or strings.
   * @param options id, signal and progress.
   * @returns the proof.
   * @throws {PippinError} ABORTED when the signal fires.
   * @throws {PippinError} INVALID_ARGUMENT for an `id` that is pending or malformed, and for an unknown circuit.
   * @throws {PippinError} INVALID_INPUT for inputs that JSON cannot carry, and as in `fullProve`.
   * @throws {PippinError} INVALID_LENGTH for inputs of more than 2^22 characters as JSON.
   * @throws {PippinError} PROVER_LOST when no page was ready for `readyTimeout`.
   * @throws {PippinError} INTERRUPTED when the page was lost more often than `resends`, or went to the background with
   * `abort`.
   * @throws {PippinError} DISPOSED when the connection is closed.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * const { proof, publicSignals } = await connection.prove('spend', inputs, {
   *   id: 'transfer-17',
   *   onProgress: (fraction) => show(fraction),
   * });
   * ```
   */
  prove(circuit: string, inputs: CircuitInputs, options?: AskOptions): Promise<WebviewProof>;
  /**
   * Notifies the page whether the app is in the foreground (AppState). This overrides the page's own visibility from
   * then on. Throws nothing.
   *
   * @param visible whether it is in the foreground.
   * @returns nothing.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * // In React Native: AppState.addEventListener('change', onChange)
   * const onChange = (state: string) => connection.setVisible(state === 'active');
   * ```
   */
  setVisible(visible: boolean): void;
  /**
   * Reports that the page is gone without having sent `leaving`, for example because its process died. Pending requests
   * go to the next page. Throws nothing.
   *
   * @returns nothing.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * // In React Native: onContentProcessDidTerminate (iOS), onRenderProcessGone (Android)
   * const onGone = () => connection.pageLost();
   * ```
   */
  pageLost(): void;
  /**
   * Notifies the page that the system is short of memory. Throws nothing.
   *
   * @param level `moderate`: unused memory is freed. `critical`: pending proofs fail with `OUT_OF_MEMORY`, too.
   * @returns nothing.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * // In React Native: AppState.addEventListener('memoryWarning', onWarning)
   * const onWarning = () => connection.trim('moderate');
   * ```
   */
  trim(level: 'moderate' | 'critical'): void;
  /**
   * Closes the connection: pending requests reject with `DISPOSED`. Throws nothing; idempotent.
   *
   * @returns nothing.
   * @example
   * ```ts
   * import { connectProver } from 'pippin-prover/webview-client';
   *
   * declare const webView: { postMessage(text: string): void };
   * const connection = connectProver({ send: (text) => webView.postMessage(text) });
   *
   * connection.close();
   * ```
   */
  close(): void;
}

interface Waiting {
  /** The message that requests it. */
  readonly text: string;
  readonly options: AskOptions;
  readonly resolve: (proof: WebviewProof) => void;
  readonly reject: (error: PippinError) => void;
  /** How often it was sent to a page, and the name of the last page. */
  asked: number;
  /** The highest fraction reported to the app. A reloaded page starts over; lower fractions are not reported. */
  reached: number;
  page?: string | undefined;
  /** Ends the wait for a page. */
  timer?: ReturnType<typeof setTimeout>;
}

const ASK_OPTIONS = ['id', 'signal', 'onProgress', 'onState'] as const satisfies readonly (keyof AskOptions)[];
const RESENDS = 2;
const MOST_RESENDS = 100;
/** The page's files may come from a slow network. */
const READY_MS = 60_000;
const MOST_READY_MS = 2 ** 31 - 1;

/**
 * Connects an app whose own code is JavaScript, such as React Native, to the page that `serveProver` of
 * `pippin-prover/webview` runs in.
 *
 * @param options how texts are sent to the page, and how long a proof waits for it.
 * @returns the app's side of the bridge.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range.
 * @example
 * ```ts
 * import { connectProver } from 'pippin-prover/webview-client';
 *
 * declare const webView: { postMessage(text: string): void };
 *
 * const connection = connectProver({ send: (text) => webView.postMessage(text) });
 * const { proof, publicSignals } = await connection.prove('spend', inputs);
 * ```
 */
export function connectProver(options: ConnectOptions): ProverConnection {
  const reader = new OptionReader(options, 'the options of connectProver');
  const send = reader.read('send');
  if (typeof send !== 'function') throw reader.wrong('send', 'a function', send);
  const connection = new Connection(
    send as (text: string) => void,
    reader.integer('resends', 0, MOST_RESENDS) ?? RESENDS,
    reader.number('readyTimeout', 0, MOST_READY_MS, 'milliseconds') ?? READY_MS,
    reader.listener<PageMessageOf<'ready'>>('onReady'),
    reader.listener<PageMessageOf<'notice'>>('onNotice'),
  );
  // A page that is ready already answers again: the app's script may have been reloaded.
  connection.hello();
  return connection;
}

class Connection implements ProverConnection {
  private readonly waiting = new Map<string, Waiting>();
  private readonly cancelled = new CancelledCalls();
  /** The name of the page that is ready; undefined while there is none. */
  private page: string | undefined;
  /** What to send to the page once it is ready. */
  private visible: boolean | undefined;
  private nextId = 1;
  private hasEnded = false;

  constructor(
    private readonly sendText: (text: string) => void,
    private readonly resends: number,
    private readonly readyMs: number,
    private readonly onReady: Listener<PageMessageOf<'ready'>> | undefined,
    private readonly onNotice: Listener<PageMessageOf<'notice'>> | undefined,
  ) {}

  hello(): void {
    this.send({ type: 'hello' });
  }

  receive(data: unknown): void {
    if (this.hasEnded || !isForPippin(data)) return;
    const message = readPageMessage(data);
    if (isMisunderstood(message)) {
      if (message.id !== undefined) this.settle(message.id, ({ reject }) => reject(message.error));
      return;
    }
    this.handle(message);
  }

  async prove(circuit: string, inputs: CircuitInputs, given?: AskOptions): Promise<WebviewProof> {
    const options = readAskOptions(given);
    const id = options.id ?? this.newId();
    if (typeof id !== 'string' || !ID_PATTERN.test(id)) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        'expected id as 1 to 128 letters, digits or characters of _.:-, got another',
      );
    }
    if (this.hasEnded) throw closed();
    if (this.waiting.has(id)) {
      throw new PippinError('INVALID_ARGUMENT', 'expected an id that is not waited for, got one that is');
    }
    const text = encodeRequest(id, circuit, inputs);
    const { signal } = options;
    const onAbort = (): void => {
      this.cancel(id, new PippinError('ABORTED', 'the call was aborted by its signal', { cause: signal?.reason }));
    };
    try {
      return await new Promise<WebviewProof>((resolve, reject) => {
        const waiting: Waiting = { text, options, resolve, reject, asked: 0, reached: 0 };
        this.waiting.set(id, waiting);
        signal?.addEventListener('abort', onAbort);
        if (signal?.aborted) onAbort();
        else if (this.page !== undefined) this.ask(id, waiting);
        else this.awaitPage(id, waiting);
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (this.page !== undefined) this.send({ type: 'visibility', visible });
    else for (const [id, waiting] of this.waiting) this.awaitPage(id, waiting);
  }

  pageLost(): void {
    this.page = undefined;
    this.cancelled.clear();
    for (const [id, waiting] of this.waiting) this.awaitPage(id, waiting);
  }

  trim(level: 'moderate' | 'critical'): void {
    if (this.page !== undefined) this.send({ type: 'trim', level });
  }

  close(): void {
    this.hasEnded = true;
    for (const id of [...this.waiting.keys()]) this.cancel(id, closed());
  }

  private handle(message: PageMessage): void {
    switch (message.type) {
      case 'ready':
        this.onPage(message);
        break;
      case 'leaving':
        if (message.page === this.page) this.pageLost();
        break;
      case 'state':
        this.tell(message.id, 'onState', ({ options }) => options.onState?.(message));
        break;
      case 'progress':
        this.tell(message.id, 'onProgress', (waiting) => {
          const fraction = Math.max(waiting.reached, message.fraction);
          waiting.reached = fraction;
          return waiting.options.onProgress?.(fraction, { ...message, fraction });
        });
        break;
      case 'result': {
        if (this.cancelled.end(message.id, message)) break;
        const { pippin: _version, type: _type, ...proof } = message;
        const isWaitedFor = this.waiting.has(message.id);
        this.settle(message.id, ({ resolve }) => resolve(proof));
        // A result from before the app's script was reloaded stays stored until it is requested.
        if (isWaitedFor) this.send({ type: 'forget', id: message.id });
        break;
      }
      case 'failed':
        if (!hasId(message) || this.cancelled.end(message.id, message)) break;
        this.settle(message.id, ({ reject }) => reject(errorOf(message)));
        break;
      case 'notice':
        this.onNotice?.tell(message);
        break;
    }
  }

  /** Handles `ready`: a new page gets all pending requests. Ids identify the proofs. */
  private onPage(ready: PageMessageOf<'ready'>): void {
    if (ready.page !== this.page) {
      this.page = ready.page;
      this.cancelled.clear();
      if (this.visible !== undefined) this.send({ type: 'visibility', visible: this.visible });
      for (const [id, waiting] of [...this.waiting]) {
        // A listener may have cancelled it while another proof was reported.
        if (this.waiting.get(id) === waiting) this.ask(id, waiting);
      }
    }
    this.onReady?.tell(ready);
  }

  /** Limits how long a proof waits for a page. */
  private awaitPage(id: string, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    if (this.visible === false) return;
    waiting.timer = setTimeout(() => this.settle(id, ({ reject }) => reject(noPage(this.readyMs))), this.readyMs);
  }

  private ask(id: string, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    waiting.asked++;
    waiting.page = this.page;
    if (waiting.asked > this.resends + 1) {
      const times = waiting.asked - 1;
      const error = new PippinError('INTERRUPTED', `the page was closed or loaded again ${times} times in mid-proof`);
      this.settle(id, ({ reject }) => reject(error));
      return;
    }
    this.sendText(waiting.text);
  }

  private cancel(id: string, error: PippinError): void {
    const waiting = this.waiting.get(id);
    this.settle(id, ({ reject }) => reject(error));
    if (this.page === undefined || waiting?.page !== this.page) return;
    this.cancelled.add(id);
    this.send({ type: 'cancel', id });
  }

  private tell(id: string, name: string, call: (waiting: Waiting) => unknown): void {
    const waiting = this.cancelled.has(id) ? undefined : this.waiting.get(id);
    if (waiting !== undefined) new Listener(name, call).tell(waiting);
  }

  private settle(id: string, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.timer);
    if (waiting !== undefined) how(waiting);
  }

  private send(message: Unversioned<HostMessage>): void {
    this.sendText(encodeMessage(message));
  }

  private newId(): string {
    const random = Math.random().toString(36).slice(2);
    return `${Date.now().toString(36)}.${this.nextId++}.${random}`;
  }
}

function readAskOptions(given: unknown): AskOptions {
  const reader = new OptionReader(given, 'the options of prove');
  const [id, signal, onProgress, onState] = ASK_OPTIONS.map((name) => reader.read(name) ?? undefined);
  return { id, signal, onProgress, onState } as AskOptions;
}

/** Whether a failure has an id. An inherited member does not count. */
function hasId(message: PageMessageOf<'failed'>): message is PageMessageOf<'failed'> & { readonly id: string } {
  return Object.hasOwn(message, 'id');
}

/**
 * The text of a request. `INVALID_INPUT` for inputs that JSON cannot carry, such as a cycle, and `INVALID_LENGTH` for a
 * text that no page takes.
 */
function encodeRequest(id: string, circuit: string, inputs: CircuitInputs): string {
  const text = textOfRequest(id, circuit, inputs);
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected inputs of at most ${MAX_MESSAGE_LENGTH} characters as JSON, got ${text.length}`,
  );
}

function textOfRequest(id: string, circuit: string, inputs: CircuitInputs): string {
  try {
    return encodeMessage({ type: 'prove', id, circuit, inputs });
  } catch {
    // The platform's message could show a value.
    throw new PippinError(
      'INVALID_INPUT',
      'expected inputs as an object of integers and arrays of them, got a cycle or what JSON cannot carry',
    );
  }
}

function noPage(ms: number): PippinError {
  return new PippinError('PROVER_LOST', `expected a page that is ready within ${ms} ms, got none`, {
    hint: 'see that the webview loads the page, that its script calls serveProver, and that receive() is given what the page sends',
  });
}

function closed(): PippinError {
  return new PippinError('DISPOSED', 'the connection to the page was closed');
}
