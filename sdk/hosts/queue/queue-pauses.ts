import type { PauseReason } from './api.js';

/** What is used of the Battery Status API. */
export interface BatterySource extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  /** From 0 to 1. */
  readonly level: number;
  readonly charging: boolean;
}

/** What is used of a document. */
export interface VisibilitySource extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly visibilityState: DocumentVisibilityState;
}

/** The reasons for which a queue is paused. */
export class QueuePauses {
  private readonly now = new Set<PauseReason>();
  private readonly stops: (() => void)[] = [];
  private hasEnded = false;

  /** @param onChange called when the queue is to be held, or to go on. */
  constructor(private readonly onChange: (isHeld: boolean) => void) {}

  get reasons(): readonly PauseReason[] {
    return [...this.now];
  }

  set(reason: PauseReason, holds: boolean): void {
    const wasHeld = this.now.size > 0;
    if (holds) this.now.add(reason);
    else this.now.delete(reason);
    const isHeld = this.now.size > 0;
    if (isHeld !== wasHeld) this.onChange(isHeld);
  }

  /** QueuePauses while the page is out of sight. */
  watchVisibility(document: VisibilitySource): void {
    this.watch(document, ['visibilitychange'], () => this.set('hidden', document.visibilityState === 'hidden'));
  }

  /**
   * QueuePauses while the battery has less than `level` and is not being charged. A browser that refuses to tell counts
   * as one that cannot.
   */
  async watchBattery(getBattery: () => Promise<BatterySource>, level: number): Promise<void> {
    const battery = await getBattery().catch(() => undefined);
    if (battery === undefined || this.hasEnded) return;
    const look = (): void => this.set('battery', !battery.charging && battery.level < level);
    this.watch(battery, ['levelchange', 'chargingchange'], look);
  }

  /** Stops watching. */
  end(): void {
    this.hasEnded = true;
    for (const stop of this.stops) stop();
  }

  private watch(target: VisibilitySource | BatterySource, types: readonly string[], look: () => void): void {
    for (const type of types) {
      target.addEventListener(type, look);
      this.stops.push(() => target.removeEventListener(type, look));
    }
    look();
  }
}
