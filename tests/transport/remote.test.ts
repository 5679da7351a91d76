import { setTimeout as delay } from 'node:timers/promises';
import * as Comlink from 'comlink';
import { afterEach, describe, expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { exposeMethods, moveResult, type Remote, releaseRemote, remote } from '../../sdk/transport/remote.js';
import { collectGarbage } from '../support/collect-garbage.js';
import { FakeWorker } from '../support/fake-worker.js';
import { polluted } from '../support/polluted.js';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

function line(): { near: Comlink.Endpoint; far: Comlink.Endpoint } {
  const channel = new MessageChannel();
  channels.push(channel);
  return { near: channel.port1 as unknown as Comlink.Endpoint, far: channel.port2 as unknown as Comlink.Endpoint };
}

class Holder {
  readonly bytes = new Uint8Array(4);
}

class Target {
  private readonly kept = new Uint8Array([1, 2, 3]);
  private readonly inInstance = new Holder();

  add(a: number, b: number): number {
    return a + b;
  }
  async length(bytes: Uint8Array): Promise<number> {
    return bytes.buffer.byteLength;
  }
  async first<T>(items: T[]): Promise<T | undefined> {
    return items[0];
  }
  give(move: boolean): Uint8Array {
    return move ? moveResult(this.kept) : this.kept;
  }
  left(): number {
    return this.kept.length;
  }
  nothing(): void {}
  /** Bytes in objects and lists, some of which cannot be moved or are not looked for. */
  giveAll(): object {
    const { kept } = this;
    return moveResult({
      none: null,
      text: 'text',
      number: 7,
      list: ['a', null, { view: new DataView(kept.buffer) }],
      shared: new Uint8Array(new SharedArrayBuffer(2)),
      other: this.inInstance,
    });
  }
  leftInInstance(): number {
    return this.inInstance.bytes.length;
  }
  fail(kind: 'ours' | 'other' | 'value' | 'nothing'): void {
    if (kind === 'ours') throw new PippinError('INVALID_POINT', 'expected a point, got none', { hint: 'look again' });
    if (kind === 'other') throw new RangeError('out of range');
    if (kind === 'nothing') throw undefined;
    throw 'a string';
  }
  uncloneable(): unknown {
    return { method: () => undefined };
  }
}

function connect(): Remote<Target> {
  const { near, far } = line();
  exposeMethods(new Target(), far);
  return remote<Target>(near);
}

describe('remote', () => {
  it('calls methods with their own this, types and results', async () => {
    const target = connect();
    expect(await target.add(2, 3)).toBe(5);
    expect(await target.first(['a', 'b'])).toBe('a');
    expect(await target.nothing()).toBeUndefined();
  });

  it('may be awaited itself', async () => {
    expect(await (await Promise.resolve(connect())).add(1, 1)).toBe(2);
  });

  it('moves arguments that go through Comlink.transfer, and results that are marked', async () => {
    const target = connect();
    const bytes = new Uint8Array(10);
    expect(await target.length(Comlink.transfer(bytes, [bytes.buffer]))).toBe(10);
    expect(bytes).toHaveLength(0);
    expect(await target.give(false)).toEqual(new Uint8Array([1, 2, 3]));
    expect(await target.left()).toBe(3);
    expect(await target.give(true)).toEqual(new Uint8Array([1, 2, 3]));
    expect(await target.left()).toBe(0);
  });

  it('moves what is in objects and lists of a marked result, and copies what is in instances or shared', async () => {
    const target = connect();
    expect(await target.giveAll()).toEqual({
      none: null,
      text: 'text',
      number: 7,
      list: ['a', null, { view: new DataView(new Uint8Array([1, 2, 3]).buffer) }],
      shared: new Uint8Array(2),
      other: { bytes: new Uint8Array(4) },
    });
    expect(await target.left()).toBe(0);
    expect(await target.leftInInstance()).toBe(4);
  });

  it('has no members but methods', () => {
    const target = connect() as unknown as Record<symbol, unknown>;
    for (const name of [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag]) expect(target[name]).toBeUndefined();
  });

  it('keeps the code, hint and stack of a PippinError, and makes INTERNAL of what else is thrown', async () => {
    const target = connect();
    await expect(target.fail('ours')).rejects.toMatchObject({
      name: 'PippinError',
      code: 'INVALID_POINT',
      message: 'expected a point, got none',
      hint: 'look again',
      stack: expect.stringContaining('Target.fail'),
    });
    await expect(target.fail('other')).rejects.toMatchObject({ code: 'INTERNAL', message: 'out of range' });
    await expect(target.fail('value')).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'a string',
      stack: expect.any(String),
    });
    await expect(target.fail('nothing')).rejects.toMatchObject({
      name: 'PippinError',
      code: 'INTERNAL',
      message: 'undefined',
    });
  });

  it('rejects what no message can carry, and a method that is not there', async () => {
    const target = connect();
    await expect(target.uncloneable()).rejects.toMatchObject({ name: 'PippinError', code: 'INTERNAL' });
    await expect(target.first([() => undefined])).rejects.toMatchObject({ name: 'PippinError', code: 'INTERNAL' });
    const other = target as unknown as Remote<{ missing(): void; kept(): void }>;
    for (const name of ['missing', 'kept'] as const) {
      await expect(other[name]()).rejects.toMatchObject({
        name: 'PippinError',
        code: 'INTERNAL',
        message: `expected a method, got the name ${name}`,
      });
    }
  });
});

describe("a host application's own Comlink", () => {
  it('throws its own errors as it does without Pippin', async () => {
    const handlers = [...Comlink.transferHandlers];
    const handler = { ...Comlink.transferHandlers.get('throw') };
    const ours = connect();
    await expect(ours.fail('ours')).rejects.toMatchObject({ code: 'INVALID_POINT' });
    expect([...Comlink.transferHandlers]).toEqual(handlers);
    expect({ ...Comlink.transferHandlers.get('throw') }).toEqual(handler);

    const { near, far } = line();
    const host = {
      range(): void {
        throw new RangeError('the application says no');
      },
      plain(): void {
        throw { status: 404 };
      },
    };
    Comlink.expose(host, far);
    const theirs = Comlink.wrap<typeof host>(near);
    const error = await theirs.range().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'RangeError', message: 'the application says no' });
    expect(error).not.toHaveProperty('code');
    await expect(theirs.plain()).rejects.toEqual({ status: 404 });
  });
});

describe('a remote whose other side was ended', () => {
  it('gives no answers, and fails no calls', async () => {
    const { near, far } = line();
    exposeMethods(new Target(), far);
    const target = remote<Target>(near);
    expect(await target.add(1, 2)).toBe(3);
    const call = target.add(1, 2);
    releaseRemote(near);
    const outcome = Promise.race([call, target.add(3, 4), delay(20, 'none')]);
    expect(await outcome).toBe('none');
    releaseRemote(near);
  });

  it('is collected, although a listener of its connection leads to it', async () => {
    const ended: WeakRef<object>[] = [];
    for (let i = 0; i < 10; i++) {
      const worker = new FakeWorker(() => new Target());
      const target = remote<Target>(worker.endpoint);
      worker.onEvent(() => target);
      await target.add(1, 2);
      worker.terminate();
      ended.push(new WeakRef(target));
    }
    // What a WeakRef is made of is kept until the end of the turn.
    await delay(10);
    collectGarbage();
    await delay(10);
    collectGarbage();
    const kept = ended.filter((target) => target.deref() !== undefined);
    // The last one may still lie on the stack.
    expect(kept.length).toBeLessThanOrEqual(1);
  });
});

describe('what every object inherits', () => {
  it.each(['toString', 'hasOwnProperty', '__defineGetter__'])('is no method that can be called: %s', async (name) => {
    const { near, far } = line();
    exposeMethods(new Target(), far);
    const calls = remote<Record<string, () => Promise<unknown>> & object>(near);
    await expect(calls[name]!()).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('is neither a method, an error nor a member of an argument', async () => {
    const { near, far } = line();
    class Reader extends Target {
      member(options: { readonly inner: { readonly verify?: boolean }; readonly verify?: boolean }): unknown[] {
        return [options.verify, options.inner.verify];
      }
    }
    exposeMethods(new Reader(), far);
    const calls = remote<Reader & { verify(): unknown }>(near);
    const added = { verify: () => 'run', error: { code: 'DISPOSED', message: 'none' }, hint: 'a hint' };
    const found = await polluted(added, async () => [
      await calls.add(1, 2),
      await calls.member({ inner: {} }),
      await calls.verify().catch((error: PippinError) => error.code),
      await calls.fail('other').catch((error: PippinError) => [error.message, error.hint]),
    ]);
    expect(found.slice(0, 3)).toEqual([3, [undefined, undefined], 'INTERNAL']);
    expect(found[3]).toEqual(['out of range', expect.not.stringContaining('a hint')]);
  });
});
