import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import { Journal } from '../../../sdk/hosts/session/journal.js';
import type { ProofResult } from '../../../sdk/hosts/webview/proof-queue.js';
import { type BackgroundPolicy, ProofServer } from '../../../sdk/hosts/webview/proof-server.js';
import {
  encodeMessage,
  type HostMessage,
  type PageMessage,
  type Unversioned,
} from '../../../sdk/hosts/webview/protocol.js';
import { FakeProver, MADE, settled } from './fake-prover.js';

/** The page's side of the protocol, on a prover whose proofs end when the test says so. */

const GRACE_MS = 3000;

let prover: FakeProver;
let posted: Unversioned<PageMessage>[];
let visible: boolean;
let server: ProofServer;

function serve(background: BackgroundPolicy = 'pause', journal = new Journal<ProofResult>(undefined)): void {
  prover = new FakeProver();
  posted = [];
  server = new ProofServer(
    {
      circuits: { note: { zkey: 'note.zkey', wasm: 'note.wasm' }, other: { zkey: 'o.zkey', wasm: 'o.wasm' } },
      background,
      graceMs: GRACE_MS,
      budget: { memoryBudget: 2 ** 28, threads: 2 },
      isVisible: () => visible,
      setVisible: (now) => see(now),
      post: (message) => void posted.push(message),
    },
    prover,
    journal,
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  visible = true;
  serve();
});
afterEach(() => vi.useRealTimers());

function see(now: boolean): void {
  visible = now;
  if (now) server.onVisible();
  else server.onHidden();
}

const say = (message: Unversioned<HostMessage>): void => server.receive(encodeMessage(message));
const ask = (id: string, inputs: object = { x: '1' }, circuit = 'note'): void =>
  server.receive(JSON.stringify({ pippin: 1, type: 'prove', id, circuit, inputs }));

/** What was posted since the last time, in short: the type and the id, and what tells most. */
function told(): string[] {
  return posted.splice(0).map((message) => {
    switch (message.type) {
      case 'state':
        return `${message.id} ${message.state} ${message.attempt}${message.reason ? ` ${message.reason}` : ''}`;
      case 'progress':
        return `${message.id} ${message.fraction}`;
      case 'result':
        return `${message.id} result ${message.attempts}`;
      case 'failed':
        return `${message.id ?? '?'} ${message.code}`;
      default:
        return message.type;
    }
  });
}

describe('a proof', () => {
  it('is told of from its beginning to its result', async () => {
    ask('a');
    prover.progress(0.25);
    prover.progress(0.26);
    vi.advanceTimersByTime(100);
    prover.progress(0.5);
    expect(told()).toEqual(['a running 1', 'a 0.25', 'a 0.5']);
    prover.progress(0.9);
    prover.progress(1);
    await prover.finish();
    const { proof, publicSignals } = MADE;
    expect(posted).toEqual([
      { type: 'progress', id: 'a', attempt: 1, fraction: 1, phase: 'msm' },
      { type: 'result', id: 'a', circuit: 'note', proof, publicSignals, backend: 'wasm', ms: 100, attempts: 1 },
    ]);
  });

  it('waits for the one before it', async () => {
    ask('a');
    ask('b', {}, 'other');
    expect(told()).toEqual(['a running 1', 'b queued 0']);
    await prover.finish();
    expect(told()).toEqual(['a result 1', 'b running 1']);
    expect(prover.requests[1]!.circuit.zkey).toBe('o.zkey');
  });

  it('is made once, however often it is asked for', async () => {
    ask('a', { x: '1', y: { b: 2, a: [3] } });
    ask('a', { y: { a: [3], b: 2 }, x: '1' });
    await prover.finish();
    ask('a');
    say({ type: 'fetch', id: 'a' });
    expect(told()).toEqual(['a running 1', 'a running 1', 'a result 1', 'a result 1', 'a result 1']);
    expect(prover.requests).toHaveLength(1);
  });

  it('keeps its id to itself while it is waited for', () => {
    ask('a');
    ask('a', { x: '2' });
    ask('a', { x: '1' }, 'other');
    expect(told()).toEqual(['a running 1', 'a INVALID_ARGUMENT', 'a INVALID_ARGUMENT']);
  });

  it('of an unknown circuit is refused', () => {
    for (const circuit of ['', 'no', 'toString', '__proto__']) ask('a', {}, circuit);
    expect(told()).toEqual(Array(4).fill('a INVALID_ARGUMENT'));
  });

  it('that failed is known, and is made when it is asked for again', async () => {
    ask('a');
    await prover.finish(new PippinError('INVALID_INPUT', 'expected x', { hint: 'give it' }));
    expect(posted.at(-1)).toEqual({
      type: 'failed',
      id: 'a',
      code: 'INVALID_INPUT',
      message: 'expected x',
      hint: 'give it',
    });
    say({ type: 'fetch', id: 'a' });
    ask('a');
    await prover.finish();
    expect(told()).toEqual(['a running 1', 'a INVALID_INPUT', 'a INVALID_INPUT', 'a running 1', 'a result 1']);
  });

  it('that was forgotten is unknown, and one under way is not forgotten', async () => {
    ask('a');
    say({ type: 'forget', id: 'a' });
    await prover.finish();
    say({ type: 'forget', id: 'a' });
    say({ type: 'forget', id: 'never' });
    say({ type: 'fetch', id: 'a' });
    expect(told()).toEqual(['a running 1', 'a INVALID_ARGUMENT', 'a result 1', 'a INVALID_HANDLE']);
  });

  it('is the 33rd that waits: refused, and taken when one has ended', async () => {
    for (let i = 0; i < 33; i++) ask(`${i}`);
    expect(told().at(-1)).toBe('32 OUT_OF_MEMORY');
    await prover.finish();
    ask('32');
    expect(told().at(-1)).toBe('32 queued 0');
  });

  it.each(['WORKER_FAILED', 'DEVICE_LOST'] as const)('is begun again once on a new prover after %s', async (code) => {
    ask('a');
    await prover.finish(new PippinError(code, 'died'));
    expect(told()).toEqual(['a running 1', 'a queued 1', 'a running 2']);
    expect(prover.closed).toBe(1);
    await prover.finish(new PippinError(code, 'died'));
    expect(told()).toEqual([`a ${code}`]);
  });
});

describe('cancelling', () => {
  it('ends the proof that is made and begins the next', async () => {
    ask('a');
    ask('b');
    say({ type: 'cancel', id: 'a' });
    expect(told()).toEqual(['a running 1', 'b queued 0', 'a ABORTED']);
    expect(prover.requests[0]!.signal.aborted).toBe(true);
    await settled();
    expect(told()).toEqual(['b running 1']);
  });

  it('ends one that waits, and may ask for it again at once', async () => {
    ask('a');
    ask('b');
    say({ type: 'cancel', id: 'b' });
    say({ type: 'cancel', id: 'a' });
    ask('a');
    await settled();
    expect(told()).toEqual(['a running 1', 'b queued 0', 'b ABORTED', 'a ABORTED', 'a queued 0', 'a running 1']);
  });

  it('of the proof that is made leaves its id to another statement at once', async () => {
    ask('a');
    say({ type: 'cancel', id: 'a' });
    ask('a', { x: '2' });
    await settled();
    await prover.finish();
    expect(told()).toEqual(['a running 1', 'a ABORTED', 'a queued 0', 'a running 1', 'a result 1']);
    expect(prover.requests.map(({ inputs }) => inputs)).toEqual([{ x: '1' }, { x: '2' }]);
  });

  it('of one that has ended tells how it ended; an unknown one is an error', async () => {
    ask('a');
    await prover.finish();
    say({ type: 'cancel', id: 'a' });
    say({ type: 'cancel', id: 'b' });
    expect(told()).toEqual(['a running 1', 'a result 1', 'a result 1', 'b INVALID_HANDLE']);
  });

  it('counts more than a result that comes too late', async () => {
    ask('a');
    const end = prover.finish();
    say({ type: 'cancel', id: 'a' });
    await end;
    expect(told()).toEqual(['a running 1', 'a ABORTED']);
  });
});

describe('in the background', () => {
  it('pause: a proof is stopped after the grace, its memory freed, and begun again on return', async () => {
    ask('a');
    ask('b');
    see(false);
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(told()).toEqual(['a running 1', 'b queued 0']);
    vi.advanceTimersByTime(1);
    expect(told()).toEqual(['a paused 1 background', 'b paused 0 background']);
    expect([prover.requests[0]!.signal.aborted, prover.closed]).toEqual([true, 1]);
    await settled();
    ask('c');
    expect(told()).toEqual(['c paused 0 background']);
    see(true);
    expect(told()).toEqual(['a queued 1', 'b queued 0', 'c queued 0', 'a running 2']);
    await prover.finish();
    expect(told()).toEqual(['a result 2', 'b running 1']);
  });

  it('pause: a return while the work is still stopping begins it again', async () => {
    ask('a');
    see(false);
    vi.advanceTimersByTime(GRACE_MS);
    see(true);
    await settled();
    expect(told()).toEqual(['a running 1', 'a paused 1 background', 'a queued 1', 'a running 2']);
  });

  it('abort: proofs fail, and so do those that are asked for', async () => {
    serve('abort');
    ask('a');
    ask('b');
    see(false);
    vi.advanceTimersByTime(GRACE_MS);
    await settled();
    ask('c');
    expect(told()).toEqual(['a running 1', 'b queued 0', 'a INTERRUPTED', 'b INTERRUPTED', 'c INTERRUPTED']);
    see(true);
    ask('a');
    expect(told()).toEqual(['a running 1']);
  });

  it('continue: the work goes on', async () => {
    serve('continue');
    ask('a');
    see(false);
    vi.advanceTimersByTime(10 * GRACE_MS);
    await prover.finish();
    ask('b');
    expect(told()).toEqual(['a running 1', 'a result 1', 'b running 1']);
  });

  it('a glance elsewhere changes nothing', () => {
    ask('a');
    see(false);
    vi.advanceTimersByTime(GRACE_MS - 1);
    see(true);
    vi.advanceTimersByTime(GRACE_MS);
    expect(told()).toEqual(['a running 1']);
  });

  it('a page that begins out of sight pauses what it is asked for, until the app says that it is seen', () => {
    visible = false;
    serve();
    ask('a');
    expect(told()).toEqual(['a paused 0 background']);
    say({ type: 'visibility', visible: true });
    expect(told()).toEqual(['a queued 0', 'a running 1']);
    say({ type: 'visibility', visible: false });
    vi.advanceTimersByTime(GRACE_MS);
    expect(told()).toEqual(['a paused 1 background']);
  });
});

describe('a page that is frozen', () => {
  it.each(['pause', 'continue'] as const)(
    '%s: goes on where it was, and its time does not count as grace',
    async (policy) => {
      serve(policy);
      ask('a');
      see(false);
      vi.advanceTimersByTime(GRACE_MS - 1);
      server.onFreeze();
      server.onFreeze();
      expect(told()).toEqual(['a running 1', 'a paused 1 frozen']);
      server.onResume();
      vi.advanceTimersByTime(GRACE_MS - 1);
      see(true);
      expect(told()).toEqual(['a running 1']);
      await prover.finish();
      expect(told()).toEqual(['a result 1']);
    },
  );

  it('abort: the app is told at once', () => {
    serve('abort');
    ask('a');
    server.onFreeze();
    expect(told()).toEqual(['a running 1', 'a INTERRUPTED']);
  });

  it('abort: takes proofs again when it goes on and can be seen', () => {
    serve('abort');
    server.onFreeze();
    server.onResume();
    ask('a');
    expect(told()).toEqual(['a running 1']);
  });

  it('restarts a download that makes no progress within 10 s after it', async () => {
    ask('a');
    prover.progress(0.01, 'read');
    server.onFreeze();
    server.onResume();
    told();
    vi.advanceTimersByTime(9_999);
    expect(prover.closed).toBe(0);
    vi.advanceTimersByTime(1);
    expect(prover.closed).toBe(1);
    await prover.finish(new PippinError('DISPOSED', 'the prover was disposed of'));
    expect(told()).toEqual(['a queued 1', 'a running 2']);
    await prover.finish();
    expect(told()).toEqual(['a result 2']);
  });

  it('leaves alone a download that continues, work in another phase, and a page that is frozen again', async () => {
    ask('a');
    prover.progress(0.01, 'read');
    server.onFreeze();
    server.onResume();
    prover.progress(0.02, 'read');
    vi.advanceTimersByTime(60_000);
    server.onFreeze();
    server.onResume();
    server.onFreeze();
    vi.advanceTimersByTime(60_000);
    prover.progress(0.5, 'msm');
    server.onResume();
    vi.advanceTimersByTime(60_000);
    expect(prover.closed).toBe(0);
    await prover.finish();
    expect(told().at(-1)).toBe('a result 1');
  });

  it('does not hold what no proof needs', () => {
    server.onFreeze();
    server.onResume();
    expect(told()).toEqual([]);
  });
});

describe('memory', () => {
  it('moderate pressure frees what is not in use', async () => {
    ask('a');
    say({ type: 'trim', level: 'moderate' });
    expect([prover.closed, told()]).toEqual([0, ['a running 1']]);
    await prover.finish();
    say({ type: 'trim', level: 'moderate' });
    expect(prover.closed).toBe(1);
  });

  it('critical pressure ends all', async () => {
    ask('a');
    ask('b');
    say({ type: 'trim', level: 'critical' });
    await settled();
    expect(told()).toEqual(['a running 1', 'b queued 0', 'a OUT_OF_MEMORY', 'b OUT_OF_MEMORY']);
    expect(prover.closed).toBe(1);
  });
});

describe('a page that is loaded again', () => {
  it('tells when it goes, and nothing after that', async () => {
    ask('a');
    server.onLeave();
    server.onLeave();
    ask('b');
    await settled();
    expect(told()).toEqual(['a running 1', 'leaving']);
    expect(prover.requests[0]!.signal.aborted).toBe(true);
  });

  it('knows the results of the one before and what was under way', async () => {
    const journal = new Journal<ProofResult>(undefined);
    serve('pause', journal);
    ask('made');
    await prover.finish();
    ask('cut off');
    server.onLeave();
    const entries = ['made'].map((id) => ({ id, result: journal.result(id), at: Date.now() }));
    const store = {
      read: async () => [...entries, { id: 'cut-off', result: undefined, at: Date.now() }],
      write: async () => undefined,
      delete: async () => undefined,
    };
    const kept = new Journal(store);
    await kept.open();
    serve('pause', kept);
    for (const id of ['made', 'cut-off', 'never']) say({ type: 'fetch', id });
    ask('made');
    ask('cut-off');
    expect(told()).toEqual([
      'made result 1',
      'cut-off INTERRUPTED',
      'never INVALID_HANDLE',
      'made result 1',
      'cut-off running 1',
    ]);
  });
});

it('ready names the page, its circuits and what is under way, as often as it is asked for', () => {
  ask('a');
  told();
  server.greet();
  say({ type: 'hello' });
  expect(posted[1]).toEqual(posted[0]);
  expect(posted[0]).toEqual({
    type: 'ready',
    page: expect.stringMatching(/^[0-9a-f]{24}$/),
    circuits: ['note', 'other'],
    proofs: [{ id: 'a', state: 'running', attempt: 1 }],
    memoryBudget: 2 ** 28,
    threads: 2,
  });
});

it('a message that is not understood is answered, with its id if it has one', () => {
  server.receive('no json');
  server.receive('{"pippin":2,"type":"prove","id":"a"}');
  server.receive('{"pippin":1,"type":"prove","id":"a"}');
  expect(told()).toEqual(['? INVALID_ARGUMENT', 'a UNSUPPORTED_FORMAT', 'a INVALID_ARGUMENT']);
});
