import type { BackendChoice } from 'pippin-prover';
import { element } from '../dom.js';
import { duration } from '../format.js';

/** How long the key took to load on this device, in milliseconds. */
interface Times {
  cold?: number;
  cached?: number;
}

const STORAGE_KEY = 'pippin-example-start-times';

/** Compares a first start with one from the cache, for the backend in use; remembers both across visits. */
export class StartTimes {
  constructor(
    private readonly list: HTMLDListElement,
    private readonly help: HTMLElement,
  ) {}

  show(backend: BackendChoice, ms: number, cached: boolean): void {
    const all = read();
    const times: Times = { ...all[backend], [cached ? 'cached' : 'cold']: ms };
    write({ ...all, [backend]: times });

    const longest = Math.max(times.cold ?? 0, times.cached ?? 0);
    const row = (name: string, value: number | undefined, now: boolean): Node[] => {
      const bar = element('span', 'start-bar');
      bar.style.setProperty('--share', String(value === undefined ? 0 : value / longest));
      const text = element('span', 'start-ms', value === undefined ? '–' : duration(value));
      const definition = element('dd', now ? 'now' : '', bar, text);
      return [element('dt', '', name), definition];
    };
    this.list.replaceChildren(...row('First', times.cold, !cached), ...row('From cache', times.cached, cached));
    this.help.textContent = comparison(times);
  }
}

function comparison({ cold, cached }: Times): string {
  if (cold === undefined) return 'The prepared key came from this device’s cache.';
  if (cached === undefined) return 'The key was prepared and kept. Start again to read it from the cache.';
  const times = cold / cached;
  if (times < 1.05) return 'Reading the prepared key saved nothing this time.';
  return `Reading the prepared key is ${times.toFixed(times < 10 ? 1 : 0)} times as fast as preparing it.`;
}

function read(): Partial<Record<BackendChoice, Times>> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

function write(times: Partial<Record<BackendChoice, Times>>): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(times));
  } catch {
    // A private window may refuse to store it. Then only the starts of this visit are compared.
  }
}
