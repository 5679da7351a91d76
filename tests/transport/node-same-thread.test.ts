import { expect, it } from 'vitest';
import { PippinError } from '../../sdk/errors.js';
import type { WorkerScope } from '../../sdk/transport/channel.js';
import { sameThreadChannel } from '../../sdk/transport/node-same-thread.js';
import { exposeMethods, remote } from '../../sdk/transport/remote.js';

/** What a worker would expose. */
class Target {
  constructor(private readonly scope: WorkerScope) {}

  async double(value: number): Promise<number> {
    this.scope.emit({ doubling: value });
    await this.scope.messagesHandled();
    return 2 * value;
  }

  async fail(): Promise<void> {
    throw new PippinError('INVALID_ARGUMENT', 'expected nothing, got a call');
  }
}

it('carries calls, events and errors as a worker thread does, until it is terminated', async () => {
  const channel = sameThreadChannel((scope) => exposeMethods(new Target(scope), scope.endpoint));
  const events: unknown[] = [];
  channel.onEvent((event) => events.push(event));
  const target = remote<Target>(channel.endpoint);
  expect(await target.double(21)).toBe(42);
  expect(events).toEqual([{ doubling: 21 }]);
  await expect(target.fail()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  channel.terminate();
  let answered = false;
  void target.double(1).then(() => {
    answered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toBe(false);
});
