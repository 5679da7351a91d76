import type { LockSource } from '../../../sdk/hosts/queue/tab-locks.js';

/** Web Locks that the pages of a test share. A page that is closed gives back what it has. */
export class FakeLocks {
  private readonly held = new Map<string, string>();
  private readonly waiting: { readonly name: string; readonly take: () => void }[] = [];

  /** The names of the locks that a page has. */
  of(page: string): string[] {
    return [...this.held].flatMap(([name, owner]) => (owner === page ? [name] : []));
  }

  /** As the browser does when a page is closed: its work is not heard of any more. */
  close(page: string): void {
    for (const name of this.of(page)) this.giveBack(name);
  }

  for(page: string): LockSource {
    return {
      request: async (name, { signal, ifAvailable = false }, callback) => {
        if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
        if (this.held.has(name) && ifAvailable) return callback(null);
        if (this.held.has(name)) {
          await new Promise<void>((resolve, reject) => {
            const entry = { name, take: resolve };
            this.waiting.push(entry);
            signal?.addEventListener('abort', () => {
              if (!this.waiting.includes(entry)) return;
              this.waiting.splice(this.waiting.indexOf(entry), 1);
              reject(new DOMException('aborted', 'AbortError'));
            });
          });
        }
        this.held.set(name, page);
        try {
          return await callback({});
        } finally {
          if (this.held.get(name) === page) this.giveBack(name);
        }
      },
    };
  }

  private giveBack(name: string): void {
    this.held.delete(name);
    const next = this.waiting.findIndex((entry) => entry.name === name);
    if (next < 0) return;
    // Held until the one who waits has it.
    this.held.set(name, '');
    this.waiting.splice(next, 1)[0]?.take();
  }
}
