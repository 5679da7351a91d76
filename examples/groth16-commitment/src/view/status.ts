import { byId } from '../dom.js';
import type { State } from '../state.js';
import type { Announcer } from './announcer.js';

/** How much of the way to the true fraction the bar goes in a second: nearly all, without a jump. */
const SPEED = 8;

/**
 * The headline, the progress bar and the page's state. Bar and number show the same fraction, which follows the true one smoothly. Until a
 * first part of the work is done there is no fraction to show: then the bar moves without a value, and the number counts seconds.
 */
export class Status {
  private readonly headline = byId('headline', HTMLElement);
  private readonly detail = byId('detail', HTMLElement);
  private readonly progress = byId('progress', HTMLProgressElement);
  private readonly percent = byId('percent', HTMLElement);
  private readonly calm = matchMedia('(prefers-reduced-motion: reduce)');
  private target = 0;
  private shown = 0;
  private elapsed = 0;

  constructor(private readonly announcer: Announcer) {}

  show(state: State, headline: string, detail: string): void {
    document.documentElement.dataset.state = state;
    this.headline.textContent = headline;
    this.detail.textContent = detail;
    if (state === 'ready' || state === 'verified') this.put(1);
    this.announcer.say(`${headline}. ${detail}`);
  }

  /** Says what is being done. */
  doing(detail: string): void {
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
  }

  begin(): void {
    this.target = 0;
    this.shown = 0;
    this.elapsed = 0;
    this.progress.removeAttribute('value');
    this.percent.textContent = '';
  }

  /** The true fraction, from 0 to 1. */
  progressed(fraction: number): void {
    this.target = Math.max(this.target, fraction);
    if (this.target > 0) this.announcer.progressed(this.detail.textContent ?? '', this.target);
  }

  /** Draws bar and number, `elapsed` milliseconds after the work began. */
  draw(elapsed: number): void {
    const seconds = Math.min(0.1, (elapsed - this.elapsed) / 1000);
    this.elapsed = elapsed;
    if (this.target === 0) {
      this.percent.textContent = elapsed < 1000 ? '' : `${Math.floor(elapsed / 1000)} s`;
      return;
    }
    const step = this.calm.matches ? 1 : 1 - Math.exp(-SPEED * seconds);
    this.shown += (this.target - this.shown) * step;
    this.put(this.shown);
  }

  /** Draws in every frame from now on, until the function is called that it returns. */
  follow(): () => void {
    const began = performance.now();
    let frame = 0;
    const tick = (): void => {
      this.draw(performance.now() - began);
      frame = requestAnimationFrame(tick);
    };
    tick();
    return () => cancelAnimationFrame(frame);
  }

  /** Bar and number, which always tell the same fraction. */
  private put(fraction: number): void {
    this.progress.value = fraction;
    this.percent.textContent = `${Math.floor(100 * fraction)} %`;
  }
}
