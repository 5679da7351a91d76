import * as Comlink from 'comlink';
import { PippinError } from '../../sdk/errors.js';
import { dispatchEvent, eventMessage, keepErrorCodes, type WorkerChannel } from '../../sdk/transport/channel.js';

/** A worker that lives on this thread, behind a real message channel, and can be made to die. */
export class FakeWorker implements WorkerChannel {
  readonly endpoint: Comlink.Endpoint;
  terminated = false;
  private readonly near: MessagePort;
  private readonly far: MessagePort;
  private readonly failureListeners: ((error: PippinError) => void)[] = [];

  /** @param make the object that the worker exposes, given its way to emit events. */
  constructor(make: (emit: (event: unknown) => void) => object) {
    keepErrorCodes();
    const { port1, port2 } = new MessageChannel();
    this.near = port1;
    this.far = port2;
    this.endpoint = port1 as unknown as Comlink.Endpoint;
    Comlink.expose(
      make((event) => port2.postMessage(eventMessage(event))),
      port2 as unknown as Comlink.Endpoint,
    );
  }

  onEvent(listener: (event: unknown) => void): void {
    this.near.addEventListener('message', (message) => dispatchEvent(message.data, listener));
    this.near.start();
  }

  onFailure(listener: (error: PippinError) => void): void {
    this.failureListeners.push(listener);
  }

  /** Ends as a crashed worker does: no more answers, and the failure is told. */
  die(): void {
    this.terminate();
    for (const listener of this.failureListeners) listener(new PippinError('WORKER_FAILED', 'the fake worker died'));
  }

  terminate(): void {
    this.terminated = true;
    this.near.close();
    this.far.close();
  }
}
