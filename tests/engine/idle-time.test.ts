import { expect, it, vi } from 'vitest';
import { IdleTime } from '../../sdk/engine/idle-time.js';

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

it('goes on after a call that failed', async () => {
  const idle = new IdleTime();
  const failing = idle.busyWith(async () => {
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  await idle.turn();
});

it('gives a turn after a quiet time, which begins again with each call', async () => {
  vi.useFakeTimers();
  try {
    const idle = new IdleTime();
    await idle.turn(1000);
    await idle.busyWith(async () => undefined);
    let turned = false;
    const turn = idle.turn(1000).then(() => {
      turned = true;
    });
    await vi.advanceTimersByTimeAsync(900);
    await idle.busyWith(async () => undefined);
    await vi.advanceTimersByTimeAsync(900);
    expect(turned).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    await turn;
    await idle.turn();
  } finally {
    vi.useRealTimers();
  }
});
