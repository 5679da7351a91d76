import * as Comlink from 'comlink';
import { asPippinError, PippinError } from '../base/errors.js';
import { errorOf, type PlainError, plainError } from '../base/plain-error.js';
import { isObject, ownMembers } from '../base/records.js';

/**
 * The methods of an object on the other side of a worker's connection. Each returns a promise, which rejects with a
 * `PippinError`.
 */
export type Remote<T extends object> = {
  readonly [M in keyof T]: T[M] extends (...args: infer A) => infer R
    ? // A generic method keeps its own type.
      [R] extends [Promise<unknown>]
      ? T[M]
      : (...args: A) => Promise<Awaited<R>>
    : never;
};

/** The answer to a call: a plain value in both cases, so that nothing is ever thrown through Comlink. */
type Outcome = { readonly value: unknown } | { readonly error: SerializedError };

interface SerializedError extends PlainError {
  readonly stack: string | undefined;
}

/** The one function that is exposed by Comlink: it runs a method by its name. */
type Call = (method: string, ...args: unknown[]) => Promise<Outcome>;

/** Results whose buffers are to be moved to the caller. */
const moved = new WeakSet<object>();

/** Marks the result of an exposed method: its buffers are moved to the caller instead of copied. */
export function moveResult<T extends object>(result: T): T {
  moved.add(result);
  return result;
}

/**
 * Lets the other side of a worker's connection call the methods of `target`. Errors keep their code and hint; anything
 * else that is thrown arrives as `INTERNAL`.
 *
 * Comlink would carry errors by its transfer handler for thrown values, without their codes. That handler belongs to
 * everyone on the page who uses Comlink, so it is left alone.
 */
export function exposeMethods(target: object, endpoint: Comlink.Endpoint): void {
  const call: Call = async (method, ...args) => {
    try {
      const [run, everywhere] = [target, Object.prototype].map((each) => (each as Record<string, unknown>)[method]);
      // What every object has is no method of this one.
      if (typeof run !== 'function' || run === everywhere)
        throw new PippinError('INTERNAL', `expected a method, got the name ${method}`);
      for (const arg of args) detach(arg);
      const value: unknown = await run.apply(target, args);
      const isMoved = typeof value === 'object' && value !== null && moved.has(value);
      return Comlink.transfer({ value }, isMoved ? buffersOf(value) : []);
    } catch (error) {
      return { error: serialize(error) };
    }
  };
  Comlink.expose(call, endpoint);
}

/** What calls through each endpoint whose other side has not ended. */
const callers = new WeakMap<Comlink.Endpoint, Comlink.Remote<Call>>();

/**
 * Lets go of an endpoint after its other side was ended; calls through it are never answered, and later ones are not
 * sent. Comlink registers what calls through an endpoint to learn when it is collected, and holds the endpoint until
 * then. But an endpoint's listeners lead to what calls through it, so that neither would ever be collected.
 */
export function releaseRemote(endpoint: Comlink.Endpoint): void {
  const caller = callers.get(endpoint);
  callers.delete(endpoint);
  caller?.[Comlink.releaseProxy]();
}

/**
 * Calls the methods that `exposeMethods` exposes on the other side. An argument's buffers are moved if it went through
 * `Comlink.transfer`.
 */
export function remote<T extends object>(endpoint: Comlink.Endpoint): Remote<T> {
  const call = Comlink.wrap<Call>(endpoint);
  callers.set(endpoint, call);
  const methodNamed =
    (method: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      let outcome: Outcome;
      if (!callers.has(endpoint)) return new Promise(() => undefined);
      try {
        outcome = await call(method, ...args);
      } catch (error) {
        // Arguments or a result that no message can carry.
        throw asPippinError(error);
      }
      const { value, error }: { value?: unknown; error?: SerializedError } = ownMembers(outcome);
      if (error !== undefined) throw deserialize(error);
      return value;
    };
  // `await` looks for a method `then`; the remote itself is no promise.
  const get = (_: object, name: string | symbol) =>
    typeof name === 'string' && name !== 'then' ? methodNamed(name) : undefined;
  return new Proxy({}, { get }) as Remote<T>;
}

function serialize(thrown: unknown): SerializedError {
  return { ...plainError(thrown), stack: thrown instanceof Error ? thrown.stack : undefined };
}

function deserialize(serialized: SerializedError): PippinError {
  const error = errorOf(serialized);
  if (serialized.stack !== undefined) error.stack = serialized.stack;
  return error;
}

/**
 * Takes the objects of an argument, which were copied for this side, from under `Object.prototype`: what a page has put
 * there must not count as a member that the caller left out. What lies in arrays stays as it is.
 */
function detach(value: unknown): void {
  if (!isPlain(value)) return;
  Object.setPrototypeOf(value, null);
  Object.values(value).forEach(detach);
}

function isPlain(value: unknown): value is object {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** Every ArrayBuffer behind the typed arrays in `value` (itself, or in a plain object's or array's members). */
function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (item: unknown): void => {
    if (ArrayBuffer.isView(item)) {
      if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
    } else if (Array.isArray(item)) {
      item.forEach(visit);
    } else if (isPlain(item)) {
      Object.values(item).forEach(visit);
    }
  };
  visit(value);
  return [...found];
}
