import type { Endpoint } from 'comlink';
import type { PippinError } from '../../sdk/base/errors.js';
import { dispatchEvent, eventMessage, type WorkerChannel } from '../../sdk/transport/channel.js';
import { exposeMethods, releaseRemote } from '../../sdk/transport/remote.js';
import { WorkerFailure } from '../../sdk/transport/worker-failure.js';

/** A worker that runs on this thread behind a real message channel, and that a test can let die. */
export class FakeWorker implements WorkerChannel {
  readonly endpoint: Endpoint;
  terminated = false;
  private readonly near: MessagePort;
  private readonly far: MessagePort;
  private readonly failure = new WorkerFailure('fake:worker');

  /** @param make makes the object that the worker exposes; it is given the function that emits events. */
  constructor(make: (emit: (event: unknown) => void) => object) {
    const { port1, port2 } = new MessageChannel();
    this.near = port1;
    this.far = port2;
    this.endpoint = port1 as unknown as Endpoint;
    exposeMethods(
      make((event) => port2.postMessage(eventMessage(event))),
      port2 as unknown as Endpoint,
    );
  }

  onEvent(listener: (event: unknown) => void): void {
    this.near.addEventListener('message', (message) => dispatchEvent(message.data, listener));
    this.near.start();
  }

  onFailure(listener: (error: PippinError) => void): void {
    this.failure.onFailure(listener);
  }

  /** Ends as a crashed worker does: it gives no more answers, and its failure is reported. */
  die(): void {
    this.close();
    this.failure.report('the fake worker died');
  }

  terminate(): unknown {
    this.failure.expectEnd();
    return this.close();
  }

  private close(): void {
    this.terminated = true;
    this.near.close();
    this.far.close();
    releaseRemote(this.endpoint);
  }
}
