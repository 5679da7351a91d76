/** What is read of a file to guess its kind. */
const HINT_BYTES = 16;

const HINTS: readonly (readonly [beginning: string, hint: string])[] = [
  ['<', 'this is a page of HTML: many servers answer one with status 200 for a path that they do not have'],
  ['\x1f\x8b', 'this is a gzip file: unpack it first, or let the server send it with Content-Encoding: gzip'],
  ['PK\x03\x04', 'this is a zip file: unpack it first'],
  ['version http', 'this is a pointer of Git LFS: get the file itself with git lfs pull'],
  ['zky', 'this is one chunk of a key: give the list of all chunks'],
  ['{', 'this is JSON'],
  ['[', 'this is JSON'],
];

/**
 * For an error about a file of the wrong kind: what it probably is instead, by its first bytes. Options of a `PippinError`, empty
 * where there is nothing to say.
 */
export function fileHint(bytes: Uint8Array): { hint?: string } {
  const text = String.fromCharCode(...bytes.subarray(0, HINT_BYTES)).trimStart();
  const hint = HINTS.find(([beginning]) => text.startsWith(beginning))?.[1];
  return hint === undefined ? {} : { hint };
}
