import { PippinError } from '../../sdk/base/errors.js';

/** Milliseconds from which on a call counts as hanging. */
const HANGS_AFTER_MS = 5000;

/** What a call may allocate: so many times its input, and so many bytes besides. */
const TIMES_INPUT = 4;

/** Watches calls: how they end, how long they take and what they allocate. */
export class CallWatch {
  private calls = 0;
  private longest = { what: 'none', ms: 0 };
  private mostBytes = 0;

  /** @param fixedBytes what a call may allocate besides four times its input. */
  constructor(private readonly fixedBytes: number) {}

  /**
   * Runs a call. Returns `taken`, or the code of the `PippinError` in which it ended. Throws for any other error, for
   * `INTERNAL`, and for a call that takes too long or allocates too much. What is allocated is what this thread's heap
   * and buffers (memories of WebAssembly included) have more after the call, so that what the collector freed meanwhile
   * is not counted.
   */
  async run(what: string, inputBytes: number, call: () => unknown): Promise<string> {
    const before = allocated();
    const began = performance.now();
    const outcome = await outcomeOf(what, call);
    const ms = performance.now() - began;
    const bytes = allocated() - before;
    this.calls++;
    if (ms > this.longest.ms) this.longest = { what, ms };
    this.mostBytes = Math.max(this.mostBytes, bytes);
    if (ms > HANGS_AFTER_MS)
      throw new Error(`${what}: expected an end within ${HANGS_AFTER_MS} ms, got ${ms.toFixed(0)}`);
    const most = TIMES_INPUT * inputBytes + this.fixedBytes;
    if (bytes > most) throw new Error(`${what}: expected at most ${most} bytes for ${inputBytes}, got ${bytes}`);
    return outcome;
  }

  figures(name: string): Record<string, number | string> {
    return {
      [`${name}: mutations`]: this.calls,
      [`${name}: longest, ms`]: `${Math.round(this.longest.ms)} (${this.longest.what})`,
      [`${name}: most allocated, KiB`]: Math.round(this.mostBytes / 1024),
    };
  }
}

async function outcomeOf(what: string, call: () => unknown): Promise<string> {
  try {
    await call();
    return 'taken';
  } catch (error) {
    if (error instanceof PippinError && isClear(error)) return error.code;
    throw new Error(`${what}: expected a typed error, got ${error instanceof Error ? error.stack : String(error)}`, {
      cause: error,
    });
  }
}

/** Whether the error has a code of its own and says what was expected. A call that was aborted says just that. */
function isClear({ code, message }: PippinError): boolean {
  return code === 'ABORTED' || (code !== 'INTERNAL' && /^expected .*[,;:] got/s.test(message));
}

function allocated(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
