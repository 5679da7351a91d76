import type { ExtensionPort } from './extension-api.js';
import { PORT_NAME } from './messages.js';

/** Accepts the port of a caller in this document. Set while this document serves. */
let accept: ((port: ExtensionPort) => void) | undefined;

/**
 * Accepts callers in this document, which ports of the extension do not reach. In Firefox the background page is both
 * server and caller.
 */
export function acceptLocally(taker: ((port: ExtensionPort) => void) | undefined): void {
  accept = taker;
}

/** A port to the server of this document; undefined if it does not serve. */
export function connectLocally(): ExtensionPort | undefined {
  if (accept === undefined) return undefined;
  const [near, far] = portPair();
  accept(far);
  return near;
}

/** Two connected ports. Messages arrive in order, never within `postMessage`. */
export function portPair(): [ExtensionPort, ExtensionPort] {
  const near = new LocalPort();
  const far = new LocalPort();
  near.other = far;
  far.other = near;
  return [near, far];
}

class LocalPort implements ExtensionPort {
  readonly name = PORT_NAME;
  other: LocalPort | undefined;
  private readonly messageListeners: ((message: unknown) => void)[] = [];
  private readonly endListeners: (() => void)[] = [];
  readonly onMessage = {
    addListener: (listener: (message: unknown) => void) => void this.messageListeners.push(listener),
  };
  readonly onDisconnect = { addListener: (listener: () => void) => void this.endListeners.push(listener) };

  postMessage(message: unknown): void {
    const { other } = this;
    if (other === undefined) throw new Error('expected an open port, got a closed one');
    queueMicrotask(() => {
      for (const listener of other.messageListeners) listener(message);
    });
  }

  disconnect(): void {
    const { other } = this;
    if (other === undefined) return;
    this.other = undefined;
    other.other = undefined;
    queueMicrotask(() => {
      for (const listener of other.endListeners) listener();
    });
  }
}
