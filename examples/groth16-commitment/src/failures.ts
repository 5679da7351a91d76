import type { PippinErrorCode } from 'pippin-prover';

/** What the page was doing when it failed. */
export type Step = 'starting' | 'proving';

/** What a visitor can do about a failure by one button. */
export type Remedy = 'again' | 'wasm' | 'one-worker' | 'forget' | 'reload';

/** A failure in a visitor's words. */
export interface Failure {
  /** What happened, in a few words. */
  readonly headline: string;
  /** Why, as far as a visitor cares, and what to do now. */
  readonly wayOut: string;
  readonly remedy: Remedy;
}

export const REMEDIES: Readonly<Record<Remedy, string>> = {
  again: 'Try again',
  wasm: 'Use the workers instead',
  'one-worker': 'Start with one worker',
  forget: 'Forget the cache and start again',
  reload: 'Reload the page',
};

/** A file that this page brings along is not what it should be; only who runs the page can mend that. */
const WRONG_KEY: Failure = {
  headline: 'The proving key is not the right file',
  wayOut:
    'What this site sent as the key is damaged, or belongs to something else. Reload the page. If that does not help, the site has to put up the right file.',
  remedy: 'reload',
};

const WRONG_CIRCUIT: Failure = {
  headline: 'The circuit’s program is not the right file',
  wayOut:
    'What this site sent to compute with is damaged, or does not fit its key. Reload the page. If that does not help, the site has to put up the right file.',
  remedy: 'reload',
};

const NO_DOWNLOAD: Failure = {
  headline: 'A file could not be downloaded',
  wayOut: 'Check your connection, then try again. Nothing is lost.',
  remedy: 'again',
};

const GPU_FAILED: Failure = {
  headline: 'The graphics processor stopped working',
  wayOut: 'Another program, its driver or a device that slept can be the reason. The workers prove without it.',
  remedy: 'wasm',
};

const WRONG_NOTE: Failure = {
  headline: 'This note cannot be spent',
  wayOut: 'The note, its secret key and the tree do not fit together. Choose another note.',
  remedy: 'again',
};

const ENDED: Failure = {
  headline: 'The prover has been closed',
  wayOut: 'Start again; the prepared key is still on this device.',
  remedy: 'again',
};

export const UNEXPECTED: Failure = {
  headline: 'Something went wrong that should not',
  wayOut: 'Nothing was sent anywhere. Try again. The details below help whoever runs this page to find the fault.',
  remedy: 'again',
};

/** A worker's script or module that cannot be had. */
export const NOT_STARTED: Failure = {
  headline: 'A part of the page could not be started',
  wayOut: 'A content blocker or this site’s own rules may have stopped it, or the page was renewed meanwhile.',
  remedy: 'reload',
};

/** What does not depend on the step that failed. */
const FAILURES: Partial<Readonly<Record<PippinErrorCode, Failure>>> = {
  WEBGPU_UNAVAILABLE: {
    headline: 'This browser offers no graphics processor',
    wayOut: 'WebGPU is missing here or switched off. The workers prove without it, only not as fast.',
    remedy: 'wasm',
  },
  DEVICE_LOST: GPU_FAILED,
  RESULT_INVALID: GPU_FAILED,
  OUT_OF_MEMORY: {
    headline: 'This device is short of memory',
    wayOut: 'Close other tabs and applications, then start with one worker, which needs the least.',
    remedy: 'one-worker',
  },
  UNSUPPORTED_ENVIRONMENT: {
    headline: 'This browser cannot prove',
    wayOut:
      'It lacks WebAssembly or workers, or a protected mode forbids them to this page. Use a current browser, or allow them for this page.',
    remedy: 'reload',
  },
  WORKER_FAILED: NOT_STARTED,
  IO_FAILED: NO_DOWNLOAD,
  MALFORMED_FILE: WRONG_KEY,
  UNSUPPORTED_FORMAT: WRONG_KEY,
  CURVE_MISMATCH: WRONG_KEY,
  KEY_MISMATCH: WRONG_KEY,
  KEY_UNFINISHED: WRONG_KEY,
  INVALID_POINT: WRONG_KEY,
  INVALID_INPUT: WRONG_NOTE,
  WITNESS_REJECTED: WRONG_NOTE,
  WITNESS_FAILED: WRONG_CIRCUIT,
  INVALID_LENGTH: WRONG_CIRCUIT,
  PROOF_INVALID: {
    headline: 'The proof does not hold',
    wayOut: 'It was checked and thrown away, so no harm is done. What this device has kept of the key may be damaged.',
    remedy: 'forget',
  },
  DISPOSED: ENDED,
  INVALID_HANDLE: ENDED,
};

/** The visitor's words for an error's code. */
export function failureOf(code: string, step: Step): Failure {
  // When a proof is made the key has been read already: a file that is wrong now is the circuit's.
  if (step === 'proving' && (code === 'MALFORMED_FILE' || code === 'UNSUPPORTED_FORMAT')) return WRONG_CIRCUIT;
  return Object.entries(FAILURES).find(([name]) => name === code)?.[1] ?? UNEXPECTED;
}

/** A proof that the prover accepts and the page's own verification key does not. */
export const NOT_VERIFIED: Failure = {
  headline: 'Not verified',
  wayOut: 'The proof does not hold under this page’s own verification key, so it was not used. Start from a fresh key.',
  remedy: 'forget',
};
