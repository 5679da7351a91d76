import type { Notice, NoticeCode } from 'pippin-prover';
import { element } from '../dom.js';

/** Notices in a visitor's words; the prover's own stand behind them. Those that are not here are shown as the prover words them. */
const TEXTS: Partial<Readonly<Record<NoticeCode, string>>> = {
  WEBGPU_UNAVAILABLE: 'This browser offers no graphics processor, so the workers do all the work.',
  WEBGPU_DISTRUSTED: 'The graphics processor failed. The workers did its work again, and nothing is lost.',
  WEBGPU_READY: 'The graphics processor is ready and helps from the next proof on.',
  WEBGPU_SLOWER: 'The workers are faster than the graphics processor here and go on alone.',
  WEBGPU_SOFTWARE: 'The graphics processor is only imitated in software here: proofs are right, and slow.',
  WORKER_REPLACED: 'A worker stopped, and another does its work again.',
  CACHE_DAMAGED: 'What this device had kept of the key was damaged. It has been prepared and kept anew.',
  CACHE_UNAVAILABLE: 'This browser does not let the page keep the prepared key, so each visit prepares it again.',
};

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
    const text = TEXTS[notice.code];
    const line = element('p', 'notice', text ?? notice.message);
    if (text !== undefined) line.title = notice.message;
    line.dataset.code = notice.code;
    this.parent.append(line);
  }
}
