import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InFlight } from '../../../../sdk/executors/gpu/runtime/in-flight.js';
import { gate } from '../../../bases/fake-backend.js';

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  // Behind the callbacks that are due.
  const later = new Promise((resolve) => setTimeout(() => resolve(open), 0));
  return (await Promise.race([promise, later])) !== open;
}

describe('InFlight', () => {
  it('has room for a submit behind another, however large that one is', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    await inFlight.room(undefined);
    const running = gate();
    void inFlight.add(100, running.opened);
    expect(await isSettled(inFlight.room(undefined))).toBe(true);
    running.open();
  });

  it('has room for small submits until they have the work of a full one', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    const running = [0.25, 0.25, 0.5].map((share) => {
      const submit = gate();
      void inFlight.add(share, submit.opened);
      return submit;
    });
    expect(await isSettled(inFlight.room(undefined))).toBe(true);
    const last = gate();
    void inFlight.add(0.5, last.opened);
    const room = inFlight.room(undefined);
    expect(await isSettled(room)).toBe(false);
    running[0]!.open();
    expect(await isSettled(room)).toBe(false);
    running[1]!.open();
    expect(await isSettled(room)).toBe(true);
  });

  it('waits for as many submits as it must', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    const running = [1, 1, 1].map((share) => {
      const submit = gate();
      void inFlight.add(share, submit.opened);
      return submit;
    });
    const room = inFlight.room(undefined);
    running[0]!.open();
    expect(await isSettled(room)).toBe(false);
    running[1]!.open();
    expect(await isSettled(room)).toBe(true);
  });

  it('forgets a submit that fails, of which only its owner is told', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    const failing = inFlight.add(1, Promise.reject(new Error('lost')));
    const running = gate();
    const took = inFlight.add(1, running.opened);
    await expect(failing).rejects.toThrow('lost');
    expect(await isSettled(inFlight.room(undefined))).toBe(true);
    running.open();
    expect(await took).toBeGreaterThanOrEqual(0);
    // A share that was not given back would leave no room for these.
    const later = [gate(), gate()];
    for (const each of later) void inFlight.add(0.5, each.opened);
    expect(await isSettled(inFlight.room(undefined))).toBe(true);
  });

  it('tells the time that each submit took behind the one before', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    const running = [gate(), gate()];
    const begin = performance.now();
    const [first, second] = running.map(({ opened }) => inFlight.add(1, opened));
    await new Promise((resolve) => setTimeout(resolve, 40));
    running[0]!.open();
    const ms = await first!;
    expect(ms).toBeGreaterThan(30);
    running[1]!.open();
    // Both were submitted at once: all the time that has passed is that of the first.
    expect(ms + (await second!)).toBeLessThanOrEqual(performance.now() - begin + 1);
  });

  it('waits no longer when the signal fires, and the submits go on', async () => {
    const inFlight = new InFlight(() => undefined, 60_000);
    const running = [gate(), gate()];
    const took = running.map(({ opened }) => inFlight.add(1, opened));
    const controller = new AbortController();
    const room = inFlight.room(controller.signal);
    const patient = inFlight.room(undefined);
    controller.abort();
    await expect(room).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await isSettled(patient)).toBe(false);
    for (const each of running) each.open();
    await patient;
    await Promise.all(took);
  });

  it('tells of a submit that the device works on for too long, and of none that it ends', async () => {
    let stuck = 0;
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const onStuck = (ms: number): void => {
      stuck = ms;
      tell();
    };
    const inFlight = new InFlight(onStuck, 40);
    const [first, second] = [gate(), gate()];
    void inFlight.add(0, first.opened);
    void inFlight.add(0.2, second.opened);
    first.open();
    await told;
    // Ten times the 10 ms that so much work should take.
    expect(stuck).toBe(100);
    second.open();
    stuck = 0;
    await delay(150);
    expect(stuck).toBe(0);
  });
});
