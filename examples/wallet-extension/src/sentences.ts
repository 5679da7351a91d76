import type { Phase } from 'pippin-prover/extension';

/** What is said while a phase runs. */
export const DOING: Readonly<Partial<Record<Phase, string>>> = {
  read: 'Reading the files',
  hash: 'Checking the key',
  'cache-read': 'Reading the prepared key',
  prepare: 'Preparing the key, once for this device',
  precompute: 'Preparing the key, once for this device',
  upload: 'Handing the key to the GPU',
  distribute: 'Handing the key to the workers',
  witness: 'Working through the circuit',
  constraints: 'Working through the circuit',
  transform: 'Computing the proof',
  msm: 'Computing the proof',
  combine: 'Putting the proof together',
  verify: 'Checking the proof',
};

/** Why a spend failed, and what its owner can do, by the code of the error. */
export function failureSentence(code: string | undefined): string {
  switch (code) {
    case 'PROVER_LOST':
    case 'INVALID_HANDLE':
      return 'The browser stopped the proof before it was done. Nothing was sent. Please try again.';
    case 'EXTENSION_RELOADED':
      return 'The wallet was updated. Please close this window and open it again.';
    case 'OUT_OF_MEMORY':
      return 'This device has too little free memory. Please close some tabs and try again.';
    case 'KEY_MISMATCH':
    case 'MALFORMED_FILE':
    case 'UNSUPPORTED_FORMAT':
    case 'IO_FAILED':
    case 'DOWNLOAD_TOO_LARGE':
      return 'A file of the wallet is missing or damaged. Please install the wallet again.';
    case 'INVALID_INPUT':
    case 'WITNESS_REJECTED':
    case 'PROOF_INVALID':
      return 'This note cannot be spent: it does not fit the tree of notes. Nothing was sent.';
    default:
      return `The proof failed (${code ?? 'UNKNOWN'}). Nothing was sent. Please try again, and tell us this word if it happens again.`;
  }
}
