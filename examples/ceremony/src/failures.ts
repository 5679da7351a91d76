import type { PippinErrorCode } from 'pippin-prover';
import { type Failure, NOT_STARTED, UNEXPECTED } from '../../groth16-commitment/src/failures.js';

/** What the page was doing when it failed. */
export type Step = 'opening' | 'computing' | 'verifying';

const NO_KEY: Failure = {
  headline: 'This is not a key, or a damaged one',
  wayOut:
    'Choose the .zkey file that the ceremony gave you. If it is the one, its download may have been cut off: fetch it again.',
  remedy: 'again',
};

/** What does not depend on the step that failed. */
const FAILURES: Partial<Readonly<Record<PippinErrorCode, Failure>>> = {
  MALFORMED_FILE: NO_KEY,
  UNSUPPORTED_FORMAT: {
    headline: 'This key takes no contributions',
    wayOut: 'Only keys of Groth16 do. Keys of PLONK and FFLONK need no ceremony of their own.',
    remedy: 'again',
  },
  CURVE_MISMATCH: {
    headline: 'This key is over a curve that this page does not know',
    wayOut: 'It takes keys over BN254 and BLS12-381.',
    remedy: 'again',
  },
  INVALID_POINT: {
    headline: 'This key was altered',
    wayOut:
      'One of its points is not where it has to be. Do not use this file; fetch it again, and if that does not help tell who runs the ceremony.',
    remedy: 'again',
  },
  OUT_OF_MEMORY: {
    headline: 'This device is short of memory',
    wayOut: 'Close other tabs and applications, then try again. Your key and your name are still here.',
    remedy: 'again',
  },
  WORKER_FAILED: NOT_STARTED,
  UNSUPPORTED_ENVIRONMENT: {
    headline: 'This browser cannot compute a contribution',
    wayOut:
      'It lacks WebAssembly or workers, or a protected mode forbids them to this page. Use a current browser, or allow them for this page.',
    remedy: 'reload',
  },
};

const UNREADABLE: Failure = {
  headline: 'The file cannot be read',
  wayOut: 'It may have been moved, changed or deleted since it was chosen. Choose it again.',
  remedy: 'again',
};

const UNWRITABLE: Failure = {
  headline: 'The new key could not be written, or the old one not be read',
  wayOut: 'This device may have no room left: the new key is as large as the old one. Make room, then try again.',
  remedy: 'again',
};

/** The visitor's words for an error's code. */
export function failureOf(code: string, step: Step): Failure {
  if (code === 'IO_FAILED') return step === 'computing' ? UNWRITABLE : UNREADABLE;
  return Object.entries(FAILURES).find(([name]) => name === code)?.[1] ?? UNEXPECTED;
}
