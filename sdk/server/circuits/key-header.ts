import { viewOf } from '../../files/snarkjs/section-file.js';

/** snarkjs writes a key's two small sections first: the proof system and the header. */
export const HEADER_BYTES = 4096;

const [PROTOCOL, HEADER] = [1, 2];
const GROTH16 = 1;
const [FILE_HEADER_BYTES, SECTION_HEADER_BYTES] = [12, 12];

/**
 * The number of values of a witness, by the beginning of a Groth16 .zkey (`sdk/files/snarkjs/zkey.ts` has its form);
 * undefined if the beginning does not tell. The file is not judged here: its hash is, and a worker reads all of it.
 */
export function variablesOf(beginning: Uint8Array): number | undefined {
  if (String.fromCharCode(...beginning.subarray(0, 4)) !== 'zkey') return undefined;
  const view = viewOf(beginning);
  try {
    for (let at = FILE_HEADER_BYTES; ; ) {
      const id = view.getUint32(at, true);
      const start = at + SECTION_HEADER_BYTES;
      if (id === PROTOCOL && view.getUint32(start, true) !== GROTH16) return undefined;
      if (id === HEADER) {
        const r = start + 4 + view.getUint32(start, true);
        return view.getUint32(r + 4 + view.getUint32(r, true), true);
      }
      at = start + view.getUint32(at + 4, true);
    }
  } catch {
    // The header lies further back, or the file ends.
    return undefined;
  }
}
