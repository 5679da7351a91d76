import type { PippinErrorCode } from '../base/errors.js';
import type { ProgressEvent } from './progress.js';
import type { Report } from './reports.js';

/** The methods of a prover that run as calls, with events. */
export type CallName =
  | 'loadKey'
  | 'loadCircuit'
  | 'loadBases'
  | 'prove'
  | 'fullProve'
  | 'verify'
  | 'msm'
  | 'msmBatch'
  | 'loadSrs'
  | 'commit'
  | 'commitBatch'
  | 'open'
  | 'openBatch'
  | 'verifyBatch'
  | 'tune';

/** The end of a call: with a report if it has one and succeeded, with the code of its error if it failed. */
export interface CallEnd {
  /** Tells it from the other events. */
  readonly kind: 'call-end';
  /** Milliseconds since the call began. */
  readonly ms: number;
  /** Without lines of `CIRCUIT_LOG`. `verify` and `tune` have none. */
  readonly report?: Report | undefined;
  /** The code of its error; undefined if it succeeded. */
  readonly error?: PippinErrorCode | undefined;
}

/**
 * What `onEvent` of `createProver` is called with. Later versions may add kinds: leave alone those that you do not
 * know.
 */
export interface ProverEvent {
  /** The number of the call, which no other call of this prover has; 0 for notices that come outside of calls. */
  readonly call: number;
  /** Its method; undefined outside of calls. */
  readonly name: CallName | undefined;
  /** What happened: the call began or ended, or an event of its progress, without points of the proof. */
  readonly event: Exclude<ProgressEvent, { readonly kind: 'commitment' }> | { readonly kind: 'call-begin' } | CallEnd;
}
