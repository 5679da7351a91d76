import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from 'comlink';
import { messageOf, PippinError } from '../base/errors.js';
import { dispatchEvent, eventMessage, type WorkerChannel, type WorkerScope } from './channel.js';
import { nodeMessagesHandled } from './node-worker.js';
import { releaseRemote } from './remote.js';
import { WorkerFailure } from './worker-failure.js';

/**
 * The descriptor under which a child process finds what it inherits: behind its three standard streams and the channel.
 */
export const INHERITED_DESCRIPTOR = 4;

/** How a child process is started. */
export interface ProcessStart {
  /** The URL of the module that it runs. */
  readonly script: URL;
  /** A command, with its arguments, that is given Node's own command line as further arguments and runs it. */
  readonly command: readonly string[];
  /** Variables of its environment besides this process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** A descriptor that it inherits, as `INHERITED_DESCRIPTOR`. */
  readonly inherited: number | undefined;
}

/** Starts a module in a new process, which ends when this process ends. */
export function nodeProcessChannel({ script, command, env, inherited }: ProcessStart): WorkerChannel {
  const [file, ...args] = [...command, process.execPath, fileURLToPath(script)];
  const child = spawn(file!, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', inherited ?? 'ignore'],
    serialization: 'advanced',
  });
  const failure = new WorkerFailure(script.href);
  child.once('message', () => failure.noteMessage());
  child.on('error', (error) => failure.report(messageOf(error), error));
  child.on('exit', (code, signal) => failure.report(`it ended with ${signal ?? `code ${code}`}`));
  const endpoint = endpointOf(child, (message) => child.connected && child.send(message as object));
  return {
    endpoint,
    onEvent(listener) {
      child.on('message', (message) => dispatchEvent(message, listener));
    },
    onFailure: (listener) => failure.onFailure(listener),
    terminate() {
      failure.expectEnd();
      // A process that a command has started beneath itself ends by this.
      if (child.connected) child.disconnect();
      child.kill('SIGKILL');
      releaseRemote(endpoint);
    },
  };
}

/** The scope of the child process that calls this. */
export function nodeProcessScope(): WorkerScope {
  const send = process.send as ((message: unknown) => boolean) | undefined;
  if (send === undefined) throw new PippinError('INTERNAL', 'expected to run in a child process, got none');
  const post = (message: unknown): unknown => process.connected && send.call(process, message);
  process.on('disconnect', () => process.exit());
  return {
    endpoint: endpointOf(process, post),
    emit: (event) => post(eventMessage(event)),
    messagesHandled: nodeMessagesHandled,
  };
}

/** A connection between processes as Comlink uses it. Nothing can be moved to another process: all is copied. */
function endpointOf(emitter: ChildProcess | NodeJS.Process, post: (message: unknown) => unknown): Endpoint {
  const listeners = new WeakMap<object, (data: unknown) => void>();
  return {
    postMessage: (message: unknown) => void post(message),
    addEventListener(_type, listener) {
      const tell = (data: unknown): void => {
        const event = { data } as MessageEvent;
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      listeners.set(listener, tell);
      (emitter as ChildProcess).on('message', tell);
    },
    removeEventListener(_type, listener) {
      const tell = listeners.get(listener);
      if (tell !== undefined) (emitter as ChildProcess).off('message', tell);
    },
  };
}
