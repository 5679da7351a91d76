import { describe, expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import type { WorkerScope } from '../../sdk/transport/channel.js';
import { nodeSameThreadChannel as inNode } from '../../sdk/transport/node-same-thread.js';
import { exposeMethods, remote } from '../../sdk/transport/remote.js';
import { webSameThreadChannel as inPage } from '../../sdk/transport/web-same-thread.js';

/** What a worker would expose. */
class Target {
  steps = 0;

  constructor(private readonly scope: WorkerScope) {}

  async double(value: number): Promise<number> {
    this.scope.emit({ doubling: value });
    await this.scope.messagesHandled();
    return 2 * value;
  }

  async fail(): Promise<void> {
    throw new PippinError('INVALID_ARGUMENT', 'expected nothing, got a call');
  }

  async workWithoutEnd(): Promise<never> {
    for (;;) {
      this.steps++;
      await this.scope.messagesHandled();
    }
  }
}

const someTurns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe.each([
  ['in Node', inNode],
  ['in a page', inPage],
])('a connection to what runs on the same thread, %s', (_, sameThreadChannel) => {
  it('carries calls, events and errors as that to a worker does, until it is terminated', async () => {
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
    await someTurns();
    expect(answered).toBe(false);
  });

  it('stops what is under way when it is terminated', async () => {
    let working: Target | undefined;
    const channel = sameThreadChannel((scope) => {
      working = new Target(scope);
      exposeMethods(working, scope.endpoint);
    });
    void remote<Target>(channel.endpoint).workWithoutEnd();
    await someTurns();
    expect(working!.steps).toBeGreaterThan(0);
    channel.terminate();
    await someTurns();
    const { steps } = working!;
    await someTurns();
    expect(working!.steps).toBe(steps);
  });
});
