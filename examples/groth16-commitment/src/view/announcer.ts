import { byId } from '../dom.js';

/** The least time between two announcements of progress, in milliseconds. */
const PAUSE = 15_000;

/**
 * Tells screen readers what sighted visitors see: each state once, and progress now and then when something takes long. Everything else on
 * the page changes in silence.
 */
export class Announcer {
  private readonly region = byId('announcer', HTMLElement);
  private last = 0;

  say(text: string): void {
    this.last = performance.now();
    this.region.textContent = text;
  }

  /** A fraction from 0 to 1 that is done. */
  progressed(doing: string, fraction: number): void {
    if (performance.now() - this.last < PAUSE) return;
    this.say(`${doing}, ${Math.floor(100 * fraction)} percent`);
  }
}
