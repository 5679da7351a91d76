/** How many bytes of a file are examined to guess its kind. */
const HINT_BYTES = 16;

const HINTS: readonly (readonly [beginning: string, hint: string])[] = [
  ['<', 'this is an HTML page: many servers send one with status 200 for a path that does not exist'],
  ['\x1f\x8b', 'this is a gzip file: unpack it first, or let the server send it with Content-Encoding: gzip'],
  ['PK\x03\x04', 'this is a zip file: unpack it first'],
  ['version http', 'this is a pointer of Git LFS: get the file itself with git lfs pull'],
  ['zky', 'this is one chunk of a key: give the list of all chunks'],
  ['zkey', 'this is a proving key (.zkey): give it to loadKey'],
  ['wtns', 'this is a witness (.wtns): give it to prove'],
  [
    'r1cs',
    'this is the constraint system (.r1cs): proving needs the .zkey that snarkjs made from it, and the WASM of the circuit',
  ],
  ['\0asm', "this is a WebAssembly module, such as a circuit's: give it to fullProve or loadCircuit"],
  ['ptau', 'these are the powers of tau (.ptau) of a set-up: a key is made from them and a circuit'],
  ['{', 'this is JSON: the file itself is binary'],
  ['[', 'this is JSON: the file itself is binary'],
];

/**
 * A hint for an error about a file of the wrong kind: what the file probably is, judged by its first bytes. The result
 * is meant as options of a `PippinError`; it is empty if the kind is not known.
 */
export function fileHint(bytes: Uint8Array): { hint?: string } {
  if (bytes.length === 0) return { hint: 'the file is empty' };
  const text = String.fromCharCode(...bytes.subarray(0, HINT_BYTES)).trimStart();
  const hint = HINTS.find(([beginning]) => text.startsWith(beginning))?.[1];
  return hint === undefined ? {} : { hint };
}
