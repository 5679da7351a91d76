import { byId } from '../dom.js';
import type { State } from '../state.js';

/** The headline, the progress bar and the page's state. */
export class Status {
  private readonly headline = byId('headline', HTMLElement);
  private readonly detail = byId('detail', HTMLElement);
  private readonly progress = byId('progress', HTMLProgressElement);
  private readonly percent = byId('percent', HTMLElement);

  show(state: State, headline: string, detail: string): void {
    document.documentElement.dataset.state = state;
    this.headline.textContent = headline;
    this.detail.textContent = detail;
  }

  /** Says what is being done, without a new announcement. */
  doing(detail: string): void {
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
  }

  /** A fraction from 0 to 1. */
  progressed(fraction: number): void {
    this.progress.value = fraction;
    this.percent.textContent = `${Math.floor(100 * fraction)} %`;
  }
}
