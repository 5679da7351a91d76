import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat } from '../../sdk/transport/heartbeat.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An answer that comes when `give` is called. */
function later(): { answer: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const answer = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

function watched(ask?: () => Promise<unknown>): { heartbeat: Heartbeat; onSilent: ReturnType<typeof vi.fn> } {
  const onSilent = vi.fn();
  return { heartbeat: new Heartbeat({ patienceMs: 1000, startMs: 5000, onSilent, ...(ask && { ask }) }), onSilent };
}

describe('Heartbeat', () => {
  it('is told after its patience, which is longer before the first sign of life and for large arrays', async () => {
    const { heartbeat, onSilent } = watched();
    void heartbeat.until(later().answer);
    await vi.advanceTimersByTimeAsync(4999);
    expect(onSilent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onSilent).toHaveBeenCalledWith(5000);

    const second = watched();
    second.heartbeat.heard();
    void second.heartbeat.until(later().answer, 3_000_000);
    await vi.advanceTimersByTimeAsync(3999);
    expect(second.onSilent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(second.onSilent).toHaveBeenCalledWith(4000);
  });

  it('is not told while something is heard now and then, nor when nothing is due', async () => {
    const { heartbeat, onSilent } = watched();
    heartbeat.heard();
    const { answer, give } = later();
    const answered = heartbeat.until(answer);
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(700);
      heartbeat.heard();
    }
    give();
    await answered;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onSilent).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not told, and no timer runs, after the end, whatever is asked then', async () => {
    const { heartbeat, onSilent } = watched();
    const { answer, give } = later();
    void heartbeat.until(answer);
    heartbeat.end();
    void heartbeat.until(later().answer);
    give();
    await vi.advanceTimersByTimeAsync(0);
    void heartbeat.until(later().answer);
    expect(vi.getTimerCount()).toBe(0);
    const unasked = watched();
    unasked.heartbeat.end();
    void unasked.heartbeat.until(later().answer);
    expect(vi.getTimerCount()).toBe(0);
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('asks for a sign of life where that can be given', async () => {
    const alive = watched(async () => undefined);
    void alive.heartbeat.until(later().answer);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(alive.onSilent).not.toHaveBeenCalled();
    const dead = watched(() => new Promise(() => undefined));
    void dead.heartbeat.until(later().answer);
    await vi.advanceTimersByTimeAsync(5000);
    expect(dead.onSilent).toHaveBeenCalledTimes(1);
  });
});
