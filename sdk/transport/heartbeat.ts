import { ownMembers } from '../base/records.js';

/** So many bytes of what it was sent extend the timeout by a millisecond: large arrays may be taken in at one go. */
const BYTES_PER_MS = 1000;

export interface HeartbeatOptions {
  /** The timeout in milliseconds, while it is to answer. */
  readonly patienceMs: number;
  /** The same for one that has never sent anything, because it may not have started yet. */
  readonly startMs: number;
  /** Called on a timeout, with the milliseconds of silence. */
  readonly onSilent: (ms: number) => void;
  /** Asks for a heartbeat, where it can send one in the middle of its work. */
  readonly ask?: () => Promise<unknown>;
}

/** Detects that a worker or process that is to answer is silent past its timeout. */
export class Heartbeat {
  /** Whether it has ever sent something. */
  hasSpoken = false;
  private answersDue = 0;
  private bytes = 0;
  private wasHeard = false;
  private silentHalves = 0;
  private hasEnded = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private readonly options: HeartbeatOptions;

  constructor(options: HeartbeatOptions) {
    this.options = ownMembers(options);
  }

  /** Watches while an answer is due. `bytes` is the size of what was sent. */
  async until<T>(answer: Promise<T>, bytes = 0): Promise<T> {
    this.bytes += bytes;
    this.wasHeard = true;
    if (this.answersDue++ === 0) this.watch();
    try {
      return await answer;
    } finally {
      this.bytes -= bytes;
      this.heard();
      if (--this.answersDue === 0) this.rest();
    }
  }

  /** Notes a heartbeat. */
  heard(): void {
    this.hasSpoken = true;
    this.wasHeard = true;
  }

  /** Stops watching for good: what has ended will not answer, also not to what it is asked later. */
  end(): void {
    this.hasEnded = true;
    this.rest();
  }

  /** Stops watching until the next answer is due. */
  private rest(): void {
    clearTimeout(this.timer);
    this.silentHalves = 0;
  }

  /** Half of the timeout is waited for twice, since the machine may have slept in the first one. */
  private watch(): void {
    if (this.hasEnded) return;
    const { patienceMs, startMs, onSilent, ask } = this.options;
    const patience = this.hasSpoken ? patienceMs + this.bytes / BYTES_PER_MS : startMs;
    this.wasHeard = false;
    ask?.().then(
      () => this.heard(),
      () => undefined,
    );
    this.timer = setTimeout(() => {
      this.silentHalves = this.wasHeard ? 0 : this.silentHalves + 1;
      if (this.silentHalves === 2) onSilent(patience);
      else this.watch();
    }, patience / 2);
  }
}
