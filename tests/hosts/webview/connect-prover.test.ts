import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import { Journal } from '../../../sdk/hosts/session/journal.js';
import { connectProver, type ProverConnection } from '../../../sdk/hosts/webview/connect-prover.js';
import { ProofServer } from '../../../sdk/hosts/webview/proof-server.js';
import { encodeMessage, type HostMessage } from '../../../sdk/hosts/webview/protocol.js';
import { FakeProver, MADE, settled } from './fake-prover.js';

/** An app and its page, connected by their texts alone. */

let sent: HostMessage[];
let prover: FakeProver;
let page: ProofServer | undefined;
let app: ProverConnection;

beforeEach(() => {
  sent = [];
  page = undefined;
  app = connectProver({
    resends: 1,
    send: (text) => {
      sent.push(JSON.parse(text));
      page?.receive(text);
    },
  });
  // Each connection begins with a greeting.
  expect(sent.splice(0)).toEqual([{ pippin: 1, type: 'hello' }]);
});

/** Loads the page, in place of the one before. */
function load({ leaves = true, post = (text: string): unknown => app.receive(text) } = {}): void {
  if (leaves) page?.onLeave();
  prover = new FakeProver();
  page = new ProofServer(
    {
      circuits: { note: { zkey: 'a', wasm: 'b' } },
      background: 'pause',
      graceMs: 0,
      budget: { memoryBudget: 1, threads: 1 },
      isVisible: () => true,
      setVisible: () => undefined,
      post: (message) => post(encodeMessage(message)),
    },
    prover,
    new Journal(undefined),
  );
  page.greet();
}

const types = (): string[] => sent.map(({ type }) => type);

describe('a connection', () => {
  it('finds a page that is ready already, as after the app’s own script was loaded anew', async () => {
    load();
    const before = app;
    const proof = before.prove('note', {}).catch(() => undefined);
    app = connectProver({ send: (text) => queueMicrotask(() => page!.receive(text)) });
    const again = app.prove('note', {}, { id: 'b' });
    await settled();
    expect(prover.requests).toHaveLength(1);
    await prover.finish();
    await prover.finish();
    expect((await again).id).toBe('b');
    before.close();
    await proof;
  });

  it('asks when the page is ready, gives the proof, and lets the page forget it', async () => {
    const states: string[] = [];
    const fractions: number[] = [];
    const proof = app.prove(
      'note',
      { x: 2n ** 65n },
      {
        id: 'a',
        onState: ({ state }) => states.push(state),
        onProgress: (fraction) => fractions.push(fraction),
      },
    );
    expect(sent).toEqual([]);
    load();
    prover.progress(0.5);
    expect(prover.requests[0]!.inputs).toEqual({ x: '36893488147419103232' });
    await prover.finish();
    expect(await proof).toMatchObject({ id: 'a', proof: MADE.proof, publicSignals: MADE.publicSignals, attempts: 1 });
    expect([types(), states, fractions]).toEqual([['prove', 'forget'], ['running'], [0.5]]);
  });

  it('asks a new page for what is waited for', async () => {
    load();
    const proof = app.prove('note', {});
    load();
    expect(prover.requests).toHaveLength(1);
    await prover.finish();
    expect((await proof).circuit).toBe('note');
    expect(sent[0]).toEqual(sent[1]);
  });

  it('gives up when the page is lost too often, also without a word', async () => {
    load();
    const proof = app.prove('note', {});
    load();
    load({ leaves: false });
    await expect(proof).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(prover.requests).toHaveLength(0);
  });

  it('does not ask the same page twice', () => {
    load();
    void app.prove('note', {}).catch(() => undefined);
    page!.greet();
    expect(types()).toEqual(['prove']);
  });

  it('cancels by a signal, before and after the page is ready', async () => {
    const early = new AbortController();
    const never = app.prove('note', {}, { signal: early.signal });
    early.abort();
    await expect(never).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(app.prove('note', {}, { signal: early.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    load();
    expect(sent).toEqual([]);
    const abort = new AbortController();
    const proof = app.prove('note', {}, { signal: abort.signal });
    abort.abort();
    await expect(proof).rejects.toMatchObject({ code: 'ABORTED' });
    expect(types()).toEqual(['prove', 'cancel']);
    expect(prover.requests[0]!.signal.aborted).toBe(true);
  });

  describe('whose messages take a while', () => {
    /** Messages under way, in both directions. */
    let toPage: string[];
    let toApp: string[];
    let first: AbortController;
    beforeEach(() => {
      toPage = [];
      toApp = [];
      app = connectProver({ send: (text) => toPage.push(text) });
      load({ post: (text) => toApp.push(text) });
      first = new AbortController();
      hearPage();
    });
    const hearApp = (): void => {
      for (const text of toPage.splice(0)) page!.receive(text);
    };
    const hearPage = (): void => {
      for (const text of toApp.splice(0)) app.receive(text);
    };
    const hearAll = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        hearApp();
        await settled();
        hearPage();
      }
    };
    const ask = (signal?: AbortSignal, fractions: number[] = []) =>
      app.prove(
        'note',
        {},
        { id: 'tx1', onProgress: (fraction) => fractions.push(fraction), ...(signal ? { signal } : {}) },
      );
    const codeOf = (proof: Promise<unknown>) => proof.then(() => 'made').catch(({ code }: { code: string }) => code);

    it('asks again with the id that it has cancelled', async () => {
      const one = codeOf(ask(first.signal));
      hearApp();
      prover.progress(0.75);
      first.abort();
      const fractions: number[] = [];
      const two = ask(undefined, fractions);
      await hearAll();
      expect(await one).toBe('ABORTED');
      expect(prover.requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
      prover.progress(0.25);
      await prover.finish();
      await hearAll();
      expect([(await two).proof, fractions]).toEqual([MADE.proof, [0.25]]);
    });

    it.each([1, 2, 5])('cancels %d times in a row, and hears of the last call alone', async (times) => {
      for (let i = 0; i < times; i++) {
        const abort = new AbortController();
        const cancelled = codeOf(ask(abort.signal));
        abort.abort();
        expect(await cancelled).toBe('ABORTED');
      }
      const last = codeOf(ask());
      await hearAll();
      await prover.finish(new PippinError('PROOF_INVALID', 'of the last'));
      await hearAll();
      expect(await last).toBe('PROOF_INVALID');
    });

    it('gets its proof again if it was made before the page heard of the cancel', async () => {
      void codeOf(ask(first.signal));
      hearApp();
      await prover.finish();
      first.abort();
      const two = ask();
      await hearAll();
      expect((await two).attempts).toBe(1);
      expect(prover.requests).toHaveLength(1);
    });

    it('does not take a failure before the cancel for that of the second call', async () => {
      void codeOf(ask(first.signal));
      hearApp();
      await prover.finish(new PippinError('OUT_OF_MEMORY', 'of the first'));
      first.abort();
      const two = codeOf(ask());
      await hearAll();
      await prover.finish();
      await hearAll();
      expect(await two).toBe('made');
    });

    it('expects nothing more of a page that has gone', async () => {
      void codeOf(ask(first.signal));
      hearApp();
      first.abort();
      toPage = [];
      load({ leaves: false, post: (text) => toApp.push(text) });
      hearPage();
      const two = codeOf(ask());
      await hearAll();
      await prover.finish(new PippinError('PROOF_INVALID', 'of the second'));
      await hearAll();
      expect(await two).toBe('PROOF_INVALID');
    });

    it('does not cancel what it has not asked for', async () => {
      first.abort();
      toPage = [];
      expect(await codeOf(ask(first.signal))).toBe('ABORTED');
      expect(toPage).toEqual([]);
    });
  });

  it('does not ask a new page for what a listener cancels meanwhile', async () => {
    load();
    const abort = new AbortController();
    let isSecondPage = false;
    const stays = app.prove('note', {}, { id: 'a', onState: () => isSecondPage && abort.abort() });
    const goes = app.prove('note', {}, { id: 'b', signal: abort.signal }).catch(({ code }) => code);
    isSecondPage = true;
    sent = [];
    load();
    expect(await goes).toBe('ABORTED');
    expect(sent).toMatchObject([{ type: 'prove', id: 'a' }]);
    await prover.finish();
    await stays;
  });

  it('rejects with the errors of the page', async () => {
    load();
    const refused = app.prove('other', {});
    await expect(refused).rejects.toMatchObject({ name: 'PippinError', code: 'INVALID_ARGUMENT' });
    const rounded = app.prove('note', { x: 2 ** 53 });
    await expect(rounded).rejects.toMatchObject({ code: 'INVALID_INPUT', hint: 'write big numbers as strings' });
  });

  describe('without a page', () => {
    const outcome = async (proof: Promise<unknown>) =>
      Promise.race([proof.catch((error: { code: string }) => error.code), Promise.resolve('waits')]);
    const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('gives up after a minute, and asks a page that comes later for new proofs alone', async () => {
      const proof = app.prove('note', {});
      proof.catch(() => undefined);
      await wait(59_999);
      expect(await outcome(proof)).toBe('waits');
      await wait(1);
      await expect(proof).rejects.toMatchObject({ code: 'PROVER_LOST', hint: expect.stringContaining('serveProver') });
      load();
      expect(sent).toEqual([]);
      const second = app.prove('note', {});
      await wait(120_000);
      await prover.finish();
      expect((await second).circuit).toBe('note');
      expect(vi.getTimerCount()).toBe(0);
    });

    it.each(['leaves', 'is lost'])('waits anew when the page %s', async (how) => {
      load();
      const proof = app.prove('note', {});
      proof.catch(() => undefined);
      await wait(120_000);
      if (how === 'leaves') page!.onLeave();
      else app.pageLost();
      await wait(59_999);
      expect(await outcome(proof)).toBe('waits');
      await wait(1);
      await expect(proof).rejects.toMatchObject({ code: 'PROVER_LOST' });
    });

    it('does not count the time in the background', async () => {
      const proof = app.prove('note', {});
      proof.catch(() => undefined);
      app.setVisible(false);
      await wait(600_000);
      app.setVisible(true);
      await wait(59_999);
      expect(await outcome(proof)).toBe('waits');
      load();
      await prover.finish();
      expect((await proof).attempts).toBe(1);
    });

    it('leaves no timer behind', async () => {
      const controller = new AbortController();
      const aborted = app.prove('note', {}, { signal: controller.signal }).catch(() => undefined);
      controller.abort();
      const closed = app.prove('note', {}).catch(() => undefined);
      app.close();
      await Promise.all([aborted, closed]);
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('refuses ids and inputs that cannot be sent', async () => {
    load();
    const cycle: Record<string, unknown> = { secret: '8675309' };
    cycle.self = cycle;
    await expect(app.prove('note', {}, { id: 'a b' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const refusal = await app.prove('note', cycle as never).catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT' });
    expect(`${(refusal as Error).message}${(refusal as Error).cause}`).not.toContain('8675309');
    await expect(app.prove('note', { a: '1'.repeat(2 ** 22) })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    const first = app.prove('note', {}, { id: 'a' });
    await expect(app.prove('note', {}, { id: 'a' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await prover.finish();
    await first;
  });

  it('tells each page whether the app is seen, and of short memory', () => {
    app.setVisible(true);
    app.trim('moderate');
    load();
    app.setVisible(false);
    app.trim('critical');
    expect(types()).toEqual(['visibility', 'visibility', 'trim']);
  });

  it('ends what is waited for when it is closed', async () => {
    load();
    const proof = app.prove('note', {});
    app.close();
    await expect(proof).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(types()).toEqual(['prove', 'cancel']);
    await expect(app.prove('note', {})).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('ignores what is not for it, and hears of what it does not understand', async () => {
    load();
    for (const data of [undefined, 1, {}, 'text', '{"type":"ready"}']) app.receive(data);
    const proof = app.prove('note', {}, { id: 'a' });
    app.receive('{"pippin":9,"type":"result","id":"a"}');
    await expect(proof).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
  });

  it('a listener that throws is told to the console and no failure', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    load();
    const proof = app.prove(
      'note',
      {},
      {
        onState: () => {
          throw new Error('in the app');
        },
      },
    );
    await settled();
    await prover.finish();
    await proof;
    expect(complaint).toHaveBeenCalled();
    complaint.mockRestore();
  });
});

it('options out of range are refused', () => {
  expect(() => connectProver({} as never)).toThrow('expected send as a function');
  expect(() => connectProver({ send: () => undefined, resends: 1.5 })).toThrow('resends');
  expect(() => connectProver({ send: () => undefined, readyTimeout: -1 })).toThrow('readyTimeout');
});
