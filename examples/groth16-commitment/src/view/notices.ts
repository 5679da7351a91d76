import type { Notice } from 'pippin-prover';
import { element } from '../dom.js';

/** Shows the prover's notices, each of them once until the next start. */
export class Notices {
  private readonly seen = new Map<string, Notice>();

  constructor(private readonly parent: HTMLElement) {}

  get all(): readonly Notice[] {
    return [...this.seen.values()];
  }

  clear(): void {
    this.seen.clear();
    this.parent.replaceChildren();
  }

  add(notice: Notice): void {
    if (this.seen.has(notice.code)) return;
    this.seen.set(notice.code, notice);
    const line = element('p', 'notice', notice.message);
    line.dataset.code = notice.code;
    this.parent.append(line);
  }
}
