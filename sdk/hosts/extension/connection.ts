import type { Notice, ProgressEvent } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { errorOf } from '../../base/plain-error.js';
import { type ExtensionApi, type ExtensionPort, expectValidContext, extensionReloaded } from './extension-api.js';
import { FramedPort } from './framed-port.js';
import { connectLocally } from './local-ports.js';
import { ALIVE_MS, type CallerMessage, type Method, PORT_NAME } from './messages.js';

/** The timeout of the handshake in milliseconds; the document's page is loaded by then. */
const HELLO_MS = 5_000;
/**
 * The missed heartbeats after which the document counts as gone. They are counted, not timed: a laptop may have slept.
 */
const MISSED_SIGNS = 3;

/** The outcome of a call whose connection ended before the document received it. It can be retried. */
export const NOT_TAKEN = Symbol('not taken');

/** A pending call. */
interface Pending {
  taken: boolean;
  readonly onEvent: ((event: ProgressEvent) => void) | undefined;
  resolve(value: unknown): void;
  reject(error: PippinError): void;
}

/** A caller's connection to the document, until either side ends it. */
export class Connection {
  private readonly port: FramedPort;
  private readonly pending = new Map<number, Pending>();
  private nextCall = 1;
  private ended = false;
  private signOfLife = true;
  private missed = 0;
  private watch: ReturnType<typeof setInterval> | undefined;
  private onHello: (greeted: boolean) => void = () => undefined;
  /** Whether the document has answered; false if there is none. */
  readonly opened: Promise<boolean>;

  constructor(
    private readonly api: ExtensionApi,
    offscreen: string | null,
    private readonly onNotice: (notice: Notice) => void,
  ) {
    const port = openPort(api);
    this.opened = new Promise((resolve) => {
      const timer = setTimeout(() => this.end(this.lost()), HELLO_MS);
      this.onHello = (greeted) => {
        clearTimeout(timer);
        resolve(greeted);
      };
    });
    this.port = new FramedPort(
      port,
      (message) => this.take(message),
      () => this.end(this.lost()),
    );
    // Reading it marks the error as handled for Chromium.
    port.onDisconnect.addListener(() => void api.runtime.lastError);
    this.send({ kind: 'hello', offscreen });
  }

  get isOpen(): boolean {
    return !this.ended;
  }

  /** Calls a method in the document. `NOT_TAKEN` if the connection ends before the call arrives there. */
  call(
    method: Method,
    args: object,
    onEvent?: (event: ProgressEvent) => void,
  ): { number: number; answer: Promise<unknown> } {
    const number = this.nextCall++;
    if (this.ended) return { number, answer: Promise.resolve(NOT_TAKEN) };
    const answer = new Promise<unknown>((resolve, reject) => {
      this.pending.set(number, { taken: false, onEvent, resolve, reject });
    });
    try {
      this.send({ kind: 'call', call: number, method, args });
      if (!this.ended) this.watchOver();
    } catch (error) {
      this.settle(number)?.reject(error as PippinError);
    }
    return { number, answer };
  }

  abort(call: number): void {
    this.send({ kind: 'abort', call });
  }

  /** Ends the connection; pending calls reject with the error. */
  end(error: PippinError): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.watch);
    this.port.end();
    this.onHello(false);
    const retry = error.code === 'PROVER_LOST';
    for (const { taken, resolve, reject } of this.pending.values()) {
      if (retry && !taken) resolve(NOT_TAKEN);
      else reject(error);
    }
    this.pending.clear();
  }

  private send(message: CallerMessage): void {
    this.port.send(message);
  }

  /** Why the document does not answer. */
  private lost(): PippinError {
    try {
      expectValidContext(this.api);
    } catch (error) {
      return error as PippinError;
    }
    return new PippinError('PROVER_LOST', 'expected an answer of the document that proves, got its end', {
      hint: 'call again: the document is opened anew',
    });
  }

  /**
   * Watches for heartbeats while calls are pending. The end of the document is not always reported: a port has an end
   * for each listening page of the extension, and stays open while one of them does.
   */
  private watchOver(): void {
    if (this.watch !== undefined) return;
    this.signOfLife = true;
    this.missed = 0;
    this.watch = setInterval(() => {
      this.missed = this.signOfLife ? 0 : this.missed + 1;
      this.signOfLife = false;
      if (this.missed >= MISSED_SIGNS) this.end(this.lost());
    }, ALIVE_MS);
  }

  private settle(call: number): Pending | undefined {
    const pending = this.pending.get(call);
    this.pending.delete(call);
    if (this.pending.size === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
    }
    return pending;
  }

  private take(message: Readonly<Record<string, unknown>>): void {
    this.signOfLife = true;
    const call = message.call as number;
    switch (message.kind) {
      case 'hello':
        this.onHello(true);
        break;
      case 'taken': {
        const pending = this.pending.get(call);
        if (pending !== undefined) pending.taken = true;
        break;
      }
      case 'event':
        this.pending.get(call)?.onEvent?.(message.event as ProgressEvent);
        break;
      case 'value':
        this.settle(call)?.resolve(message.value);
        break;
      case 'error':
        this.settle(call)?.reject(errorOf(message.error));
        break;
      case 'notice':
        this.onNotice(message.notice as Notice);
        break;
      case 'end':
        this.end(this.lost());
        break;
    }
  }
}

function openPort(api: ExtensionApi): ExtensionPort {
  const local = connectLocally();
  if (local !== undefined) return local;
  try {
    return api.runtime.connect({ name: PORT_NAME });
  } catch (cause) {
    // "Extension context invalidated."
    throw extensionReloaded(cause);
  }
}
