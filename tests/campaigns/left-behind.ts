import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { collectGarbage } from '../support/collect-garbage.js';

/** Milliseconds that threads and handles have to end after a prover was disposed. */
const ENDING_MS = 10_000;

/**
 * How many there are of each kind of thing that a prover could leave behind in its process: threads, descriptors,
 * handles and others.
 */
export type Held = Readonly<Record<string, number>>;

/** Counts what the process holds (threads, descriptors and child processes only where there is /proc). */
export function held(): Held {
  const counts: Record<string, number> = {
    threads: entriesOf('/proc/self/task').length,
    processes: entriesOf('/proc/self/task').flatMap((thread) => childrenOf(thread)).length,
    'listeners of the process': process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
  for (const kind of [...process.getActiveResourcesInfo(), ...openFiles()]) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Waits until there is no more of anything than `before`, and throws if that does not come. */
export async function expectNoMoreThan(before: Held, count: () => Held): Promise<void> {
  const end = performance.now() + ENDING_MS;
  for (;;) {
    const now = count();
    const more = Object.entries(now).filter(([kind, number]) => number > (before[kind] ?? 0));
    if (more.length === 0) return;
    if (performance.now() > end) {
      const list = more.map(([kind, number]) => `${number} ${kind} instead of ${before[kind] ?? 0}`);
      throw new Error(`expected nothing to be left of a prover, got ${list.join(', ')}`);
    }
    await delay(5);
    // What belongs to an object ends with it, such as the threads of a GPU's driver.
    collectGarbage();
  }
}

/** The most of each kind that any of the counts has. */
export function mostOf(...counts: readonly Held[]): Held {
  const most: Record<string, number> = {};
  for (const each of counts) {
    for (const [kind, number] of Object.entries(each)) most[kind] = Math.max(most[kind] ?? 0, number);
  }
  return most;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What each descriptor is of, such as `descriptor of /tmp/a.zkey`. */
export function openFiles(): string[] {
  return entriesOf('/proc/self/fd').map((descriptor) => {
    try {
      return `descriptor of ${readlinkSync(`/proc/self/fd/${descriptor}`).replace(/\d+/g, 'N')}`;
    } catch {
      // It was that of the list itself.
      return 'closed descriptor';
    }
  });
}

function childrenOf(thread: string): string[] {
  try {
    return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    // The thread has ended meanwhile.
    return [];
  }
}
