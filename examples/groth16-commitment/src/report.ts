import { type Capabilities, type Groth16Proof, type Notice, PippinError, type Report } from 'pippin-prover';
import { byId } from './dom.js';
import type { FrameReading } from './frame-meter.js';
import type { Choice } from './session.js';
import type { State } from './state.js';

/** What a program that drives this page can read in `#report`, as JSON, whenever the page is not busy. */
export interface PageReport {
  readonly state: State;
  readonly choice: Choice;
  readonly capabilities?: Capabilities;
  /** The latest start: milliseconds for opening the prover, then for its key, and whether that came from the cache. */
  readonly start?: {
    readonly openMs: number;
    readonly keyMs: number;
    readonly cached: boolean;
    readonly report: Report;
  };
  readonly proof?: {
    readonly ms: number;
    readonly verifyMs: number;
    readonly verified: boolean;
    readonly proof: Groth16Proof;
    readonly publicSignals: readonly string[];
    readonly report: Report;
  };
  /** How long a cancelled call took to end, in milliseconds. */
  readonly cancelMs?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  /** The page's own frames while it was last busy. */
  readonly frames: Pick<FrameReading, 'longest' | 'count'>;
  readonly notices: readonly Notice[];
}

export function publishReport(report: PageReport): void {
  byId('report', HTMLPreElement).textContent = JSON.stringify(report);
}

/** An error as the report and the page show it. */
export function describeError(error: unknown): NonNullable<PageReport['error']> {
  if (error instanceof PippinError) {
    const { code, message, hint } = error;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  return { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
}
