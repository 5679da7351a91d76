import { duration } from '../format.js';
import type { FrameReading } from '../frame-meter.js';

/** The time between frames that reaches the top of the picture, in milliseconds. */
const FULL = 100;
const HEIGHT = 32;
const WIDTH = 120;

/** In milliseconds: two frames of a 60 Hz screen, and the shortest gap between frames that people notice. */
const SMOOTH = 34;
const NOTICEABLE = 100;

/** Draws the frame meter's readings. */
export class Frames {
  constructor(
    private readonly parent: HTMLElement,
    private readonly path: SVGPathElement,
    private readonly longest: HTMLElement,
    private readonly help: HTMLElement,
  ) {}

  /** Says what an idle page has on this device, once it is known. */
  showIdle({ longest }: FrameReading): void {
    this.parent.dataset.idle = String(longest);
    this.help.textContent = `The time between two frames of this page while it works. Idle, it is ${duration(longest)} at most on this device.`;
  }

  show({ longest, recent }: FrameReading): void {
    this.longest.textContent = duration(longest);
    this.parent.dataset.grade = longest <= SMOOTH ? 'smooth' : longest <= NOTICEABLE ? 'fair' : 'rough';
    const first = WIDTH - recent.length;
    const points = recent.map((gap, index) => {
      const y = HEIGHT - 1 - (Math.min(gap, FULL) / FULL) * (HEIGHT - 2);
      return `${index === 0 ? 'M' : 'L'}${first + index} ${y.toFixed(1)}`;
    });
    this.path.setAttribute('d', points.join(''));
  }
}
