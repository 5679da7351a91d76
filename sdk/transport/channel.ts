import type { Endpoint } from 'comlink';
import type { PippinError } from '../base/errors.js';
import { isObject } from '../base/records.js';

/** The connection to a worker, on the side that started it; the same for a page's Worker and Node's worker_threads. */
export interface WorkerChannel {
  /** What the calls go through (see remote.ts). */
  readonly endpoint: Endpoint;
  /** Called with every event that the worker emits beside its answers. */
  onEvent(listener: (event: unknown) => void): void;
  /**
   * Calls the listener once if the worker could not be started or died by itself, even if that happened before the
   * listener was added. It is not called when `terminate` ends the worker.
   */
  onFailure(listener: (error: PippinError) => void): void;
  /** Ends the worker. Returns a promise, which does not reject, where the platform tells when its memory is free. */
  terminate(): unknown;
  /**
   * Only in Node: whether the connection keeps the process alive, as it does at first. The caller's thread says so
   * while it waits for an answer.
   */
  setBusy?(isBusy: boolean): void;
}

/** The same connection on the worker's side. */
export interface WorkerScope {
  readonly endpoint: Endpoint;
  emit(event: unknown): void;
  /** Lets the worker's waiting messages be handled. Unlike a timer it is not delayed by clamping. */
  messagesHandled(): Promise<void>;
}

/** Events and Comlink's messages share the connection. Comlink's carry an `id`; events carry this key instead. */
const EVENT_KEY = 'pippinEvent';

/** A message that carries an event. */
export function eventMessage(event: unknown): Record<string, unknown> {
  return { [EVENT_KEY]: event };
}

/** Calls `listener` when a message carries an event. */
export function dispatchEvent(message: unknown, listener: (event: unknown) => void): void {
  if (isObject(message) && Object.hasOwn(message, EVENT_KEY)) listener(message[EVENT_KEY]);
}
