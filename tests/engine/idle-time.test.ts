import { expect, it, vi } from 'vitest';
import { IdleTime } from '../../sdk/engine/idle-time.js';

const NEVER = new AbortController().signal;

it('gives a turn when no call is under way, and not while another one has begun', async () => {
  const idle = new IdleTime();
  await idle.turn();
  const ends: (() => void)[] = [];
  const call = () => idle.busyWith(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const calls = [call(), call()];
  let turns = 0;
  const waiting = [idle.turn(), idle.turn()].map((turn) => turn.then(() => void turns++));
  ends[0]!();
  await calls[0];
  expect(turns).toBe(0);
  // A call that begins as the last one ends goes first.
  ends[1]!();
  const third = calls[1]!.then(call);
  await calls[1];
  await new Promise((resolve) => setTimeout(resolve, 5));
  ends[2]!();
  await third;
  await Promise.all(waiting);
  expect(turns).toBe(2);
});

it('is quiet when no call has followed the last one for a moment, or when the signal fires', async () => {
  const idle = new IdleTime();
  let isQuiet = false;
  const call = (ms: number) => idle.busyWith(() => new Promise<void>((resolve) => void setTimeout(resolve, ms)));
  const first = call(30);
  const quiet = idle.quiet(NEVER).then(() => {
    isQuiet = true;
  });
  await first;
  // As a page that proves when its key is loaded.
  const second = call(250);
  await second;
  expect(isQuiet).toBe(false);
  await quiet;
  const ending = new AbortController();
  void idle.busyWith(() => new Promise(() => undefined));
  setTimeout(() => ending.abort(), 10);
  await idle.quiet(ending.signal);
});

it('is taken for quiet during calls without end', async () => {
  vi.useFakeTimers();
  try {
    const idle = new IdleTime();
    void idle.busyWith(() => new Promise(() => undefined));
    const quiet = idle.quiet(NEVER);
    await vi.advanceTimersByTimeAsync(10_000);
    await quiet;
  } finally {
    vi.useRealTimers();
  }
});

it('goes on after a call that failed', async () => {
  const idle = new IdleTime();
  const failing = idle.busyWith(async () => {
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  await idle.turn();
});
