import * as Comlink from 'comlink';
import { PippinError, type PippinErrorCode } from '../errors.js';

/** One end of the line to a worker, the same for a page's Worker and Node's worker_threads. */
export interface WorkerChannel {
  /** What Comlink talks through. */
  readonly endpoint: Comlink.Endpoint;
  /** Called with every event that the worker emits beside its answers. */
  onEvent(listener: (event: unknown) => void): void;
  /** Called at most once, when the worker could not be started or died by itself; not after `terminate`. */
  onFailure(listener: (error: PippinError) => void): void;
  terminate(): void;
}

/** The worker's own end of the line. */
export interface WorkerScope {
  readonly endpoint: Comlink.Endpoint;
  emit(event: unknown): void;
}

/** Events share the line with Comlink's messages, which carry an `id`; these carry this key instead. */
const EVENT_KEY = 'pippinEvent';

/** A message that carries an event. */
export function eventMessage(event: unknown): Record<string, unknown> {
  return { [EVENT_KEY]: event };
}

/** Calls `listener` when a message carries an event. */
export function dispatchEvent(message: unknown, listener: (event: unknown) => void): void {
  if (typeof message === 'object' && message !== null && EVENT_KEY in message) {
    listener((message as Record<string, unknown>)[EVENT_KEY]);
  }
}

interface SerializedError {
  readonly code: PippinErrorCode;
  readonly message: string;
  readonly stack: string | undefined;
  readonly hint: string | undefined;
}

/**
 * Lets errors cross a worker boundary with their code and hint: replaces both halves of Comlink's handler for thrown values.
 * What is thrown and is no PippinError arrives as `INTERNAL`. Must be called on both ends.
 */
export function keepErrorCodes(): void {
  const handler = Comlink.transferHandlers.get('throw');
  if (handler === undefined)
    throw new PippinError('INTERNAL', "expected Comlink to have a transfer handler named 'throw'");
  handler.serialize = (thrown: unknown) => {
    const { value } = thrown as { value: unknown };
    const error = value instanceof Error ? value : new Error(String(value));
    const serialized: SerializedError = {
      code: error instanceof PippinError ? error.code : 'INTERNAL',
      message: error.message,
      stack: error.stack,
      hint: error instanceof PippinError ? error.hint : undefined,
    };
    return [serialized, []];
  };
  handler.deserialize = (value: unknown) => {
    const serialized = value as SerializedError;
    const error = new PippinError(
      serialized.code,
      serialized.message,
      serialized.hint === undefined ? {} : { hint: serialized.hint },
    );
    if (serialized.stack !== undefined) error.stack = serialized.stack;
    throw error;
  };
}

/** Every ArrayBuffer behind the typed arrays in `value` (itself, or in a plain object's or array's members). */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (item: unknown): void => {
    if (ArrayBuffer.isView(item)) {
      if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
    } else if (Array.isArray(item)) {
      item.forEach(visit);
    } else if (typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype) {
      Object.values(item).forEach(visit);
    }
  };
  visit(value);
  return [...found];
}
