import type { Notice, ProgressListener } from '../../api/progress.js';
import { messageOf, PippinError } from '../../base/errors.js';
import { plainError } from '../../base/plain-error.js';
import { isObject, ownMembers } from '../../base/records.js';
import type { ExtensionPort } from './extension-api.js';
import { FramedPort } from './framed-port.js';
import type { DocumentMessage } from './messages.js';

/** The maximum of concurrent calls of one caller. Further ones are rejected; the others continue. */
const MAX_CALLS = 64;

/** A call of a caller, for the methods of the document. */
export interface ServedCall {
  readonly session: Session;
  /** Fires when the caller aborts the call, or has disappeared. */
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  /** Whether the signal has fired because the caller disappeared. */
  isAbandoned(): boolean;
}

/** The functions of the server that a session uses. */
export interface SessionHost {
  /** Runs a method by its name, with unchecked arguments. */
  run(method: string, args: Readonly<Record<string, unknown>>, call: ServedCall): Promise<unknown>;
  /** The caller found this page as the extension's offscreen document. */
  foundOffscreen(url: string): void;
  /** A part of a message has arrived. */
  heard(): void;
  ended(session: Session): void;
}

/** One caller, from connection to end. A caller that violates the protocol is disconnected. */
export class Session {
  private readonly port: FramedPort;
  private readonly calls = new Map<number, AbortController>();
  private isGone = false;

  constructor(
    port: ExtensionPort,
    private readonly host: SessionHost,
  ) {
    this.port = new FramedPort(
      port,
      (message) => this.take(message),
      () => this.leave(),
      () => host.heard(),
    );
  }

  /** Whether a call is pending. */
  get isBusy(): boolean {
    return this.calls.size > 0;
  }

  /** Sends a heartbeat. */
  sendAlive(): void {
    this.send({ kind: 'alive' });
  }

  tellNotice(notice: Notice): void {
    this.send({ kind: 'notice', notice });
  }

  /** Notifies the caller that the document no longer serves, and closes the connection. */
  end(): void {
    this.send({ kind: 'end' });
    this.cutOff();
  }

  private cutOff(): void {
    this.port.end();
    this.leave();
  }

  private leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const controller of this.calls.values()) controller.abort();
    this.calls.clear();
    this.host.ended(this);
  }

  private take(message: Readonly<Record<string, unknown>>): void {
    const { kind } = message;
    if (kind === 'hello') {
      if (typeof message.offscreen === 'string') this.host.foundOffscreen(message.offscreen);
      this.send({ kind: 'hello' });
    } else if (kind === 'abort' && typeof message.call === 'number') this.calls.get(message.call)?.abort();
    else if (
      kind === 'call' &&
      this.isNew(message.call) &&
      typeof message.method === 'string' &&
      isObject(message.args)
    ) {
      if (this.calls.size < MAX_CALLS) void this.run(message.call, message.method, ownMembers(message.args));
      else this.send({ kind: 'error', call: message.call, error: plainError(tooManyCalls()) });
    } else this.cutOff();
  }

  private isNew(call: unknown): call is number {
    return typeof call === 'number' && !this.calls.has(call);
  }

  private async run(call: number, method: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const controller = new AbortController();
    this.calls.set(call, controller);
    this.send({ kind: 'taken', call });
    const onProgress: ProgressListener = (event) => {
      if (!controller.signal.aborted) this.send({ kind: 'event', call, event });
    };
    const served = { session: this, signal: controller.signal, onProgress, isAbandoned: () => this.isGone };
    try {
      const value = await this.host.run(method, args, served);
      this.send({ kind: 'value', call, value });
    } catch (error) {
      this.send({ kind: 'error', call, error: plainError(error) });
    } finally {
      this.calls.delete(call);
    }
  }

  private send(message: DocumentMessage): void {
    try {
      this.port.send(message);
    } catch (error) {
      // A result that no message can carry: only its own caller loses it.
      const call = Object.hasOwn(message, 'call') ? (message as { call: number }).call : undefined;
      if (call === undefined) return;
      const failure = new PippinError('INTERNAL', `expected a result that can be sent: ${messageOf(error)}`);
      this.port.send({ kind: 'error', call, error: plainError(failure) });
    }
  }
}

function tooManyCalls(): PippinError {
  return new PippinError('INVALID_ARGUMENT', `expected at most ${MAX_CALLS} calls of a page at a time, got one more`, {
    hint: 'wait for calls that are under way',
  });
}
