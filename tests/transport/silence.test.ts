import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Silence } from '../../sdk/transport/silence.js';

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

function watched(ask?: () => Promise<unknown>): { silence: Silence; onSilent: ReturnType<typeof vi.fn> } {
  const onSilent = vi.fn();
  return { silence: new Silence({ patienceMs: 1000, startMs: 5000, onSilent, ...(ask && { ask }) }), onSilent };
}

describe('Silence', () => {
  it('is told after its patience, which is longer before the first sign of life and for large arrays', async () => {
    const { silence, onSilent } = watched();
    void silence.until(later().answer);
    await vi.advanceTimersByTimeAsync(4999);
    expect(onSilent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onSilent).toHaveBeenCalledWith(5000);

    const second = watched();
    second.silence.heard();
    void second.silence.until(later().answer, 3_000_000);
    await vi.advanceTimersByTimeAsync(3999);
    expect(second.onSilent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(second.onSilent).toHaveBeenCalledWith(4000);
  });

  it('is not told while something is heard now and then, nor when nothing is due', async () => {
    const { silence, onSilent } = watched();
    silence.heard();
    const { answer, give } = later();
    const answered = silence.until(answer);
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(700);
      silence.heard();
    }
    give();
    await answered;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onSilent).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not told, and no timer runs, after the end, whatever is asked then', async () => {
    const { silence, onSilent } = watched();
    const { answer, give } = later();
    void silence.until(answer);
    silence.end();
    void silence.until(later().answer);
    give();
    await vi.advanceTimersByTimeAsync(0);
    void silence.until(later().answer);
    expect(vi.getTimerCount()).toBe(0);
    const unasked = watched();
    unasked.silence.end();
    void unasked.silence.until(later().answer);
    expect(vi.getTimerCount()).toBe(0);
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('asks for a sign of life where that can be given', async () => {
    const alive = watched(async () => undefined);
    void alive.silence.until(later().answer);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(alive.onSilent).not.toHaveBeenCalled();
    const dead = watched(() => new Promise(() => undefined));
    void dead.silence.until(later().answer);
    await vi.advanceTimersByTimeAsync(5000);
    expect(dead.onSilent).toHaveBeenCalledTimes(1);
  });
});
