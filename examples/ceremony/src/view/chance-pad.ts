import { byId } from '../../../groth16-commitment/src/dom.js';
import type { Announcer } from '../../../groth16-commitment/src/view/announcer.js';
import { CollectedEntropy } from '../entropy.js';

/**
 * Collects the movements of a mouse anywhere on the page, of fingers in the pad, where they do not scroll, and what is
 * typed. A bar shows how much it is.
 */
export class ChancePad {
  private readonly typed = byId('typed', HTMLInputElement);
  private readonly bar = byId('collected', HTMLProgressElement);
  private readonly entropy = new CollectedEntropy();
  private isFull = false;

  constructor(private readonly announcer: Announcer) {
    document.addEventListener('pointermove', (event) => {
      // One event may stand for several places that the pointer was at.
      const places = event.getCoalescedEvents?.() ?? [];
      for (const { clientX, clientY, timeStamp } of places.length > 0 ? places : [event]) {
        this.entropy.move(clientX, clientY, timeStamp);
      }
      this.draw();
    });
    this.typed.addEventListener('input', () => this.draw());
  }

  /** What was collected, for the caller to overwrite. */
  take(): Uint8Array {
    const all = this.entropy.take(this.typed.value);
    this.typed.value = '';
    this.isFull = false;
    this.draw();
    return all;
  }

  private draw(): void {
    const fraction = this.entropy.fraction(this.typed.value.length);
    this.bar.value = fraction;
    // Only for those who are at it: a mouse moves for other reasons, too.
    if (fraction === 1 && !this.isFull && document.activeElement === this.typed) {
      this.announcer.say('That is enough; more does no harm.');
    }
    this.isFull = fraction === 1;
  }
}
