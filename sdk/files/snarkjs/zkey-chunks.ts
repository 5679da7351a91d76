import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type ByteSource, joinSources, memorySource, partOf } from '../byte-source.js';
import { printable, sectionHead, viewOf, words } from './section-file.js';

/**
 * The header of a chunk: "zky" and the letter of its section, version (u32), number of sections (u32), size of the
 * section (u64).
 */
const CHUNK_HEADER_BYTES = 20;
const FIRST_LETTER = 'a'.charCodeAt(0);
/** The sections of a .zkey, and those that proving needs. Section 10 is the history of the ceremony. */
const LAST_SECTION = 10;
const NEEDED = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const ENCODER = new TextEncoder();

/**
 * Joins the chunks of a key to the .zkey that they were cut from, without copying their bytes. Chunks are written by
 * zk-email's fork of snarkjs (sampritipanda/snarkjs, src/chunk_utils.js): one file for each section, .zkeyb for section
 * 1 to .zkeyk for section 10. Each says which section it has, so they may be in any order, and the last one may be left
 * out.
 *
 * `MALFORMED_FILE` names a chunk that is missing, given twice, incomplete, or not a chunk at all.
 */
export async function joinZkeyChunks(chunks: readonly ByteSource[]): Promise<ByteSource> {
  const bodies = new Map<number, ByteSource>();
  for (const [i, chunk] of chunks.entries()) {
    const { section, body } = await readChunk(chunk, `chunk ${i + 1} of ${chunks.length}`);
    if (bodies.has(section)) {
      throw new PippinError('MALFORMED_FILE', `expected one chunk ${chunkName(section)}, got more than one`);
    }
    bodies.set(section, body);
  }
  const missing = NEEDED.filter((section) => !bodies.has(section)).map(chunkName);
  if (missing.length > 0) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected the chunks ${chunkName(1)} to ${chunkName(9)} of a key, got none for ${missing.join(', ')}`,
      { hint: 'give the files .zkeyb to .zkeyj, and .zkeyk if there is one' },
    );
  }
  const sections = [...bodies].sort(([a], [b]) => a - b);
  const joined = joinSources([
    memorySource(joinBytes([ENCODER.encode('zkey'), words(1, sections.length)])),
    ...sections.flatMap(([section, body]) => [memorySource(sectionHead(section, body.size)), body]),
  ]);
  joined.name = chunks[0]?.name;
  return joined;
}

async function readChunk(chunk: ByteSource, what: string): Promise<{ section: number; body: ByteSource }> {
  const header = await chunk.read(0, Math.min(CHUNK_HEADER_BYTES, chunk.size));
  const magic = String.fromCharCode(...header.subarray(0, 4));
  const section = magic.charCodeAt(3) - FIRST_LETTER;
  if (header.length < CHUNK_HEADER_BYTES || !magic.startsWith('zky') || section < 1 || section > LAST_SECTION) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${what} of the key to begin with "zkyb" to "zkyk", got "${printable(magic)}"`,
      { hint: 'a key in one file is given by itself, not in a list; compressed chunks must be unpacked first' },
    );
  }
  const view = viewOf(header);
  const version = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  const size = view.getUint32(12, true) + view.getUint32(16, true) * 2 ** 32;
  if (version !== 1)
    throw new PippinError('UNSUPPORTED_FORMAT', `expected ${chunkName(section)} of version 1, got ${version}`);
  if (count !== 1 || size !== chunk.size - CHUNK_HEADER_BYTES) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected one section of ${chunk.size - CHUNK_HEADER_BYTES} bytes in ${chunkName(section)}, got ${count} of ${size} bytes`,
    );
  }
  return { section, body: partOf(chunk, CHUNK_HEADER_BYTES, size) };
}

function chunkName(section: number): string {
  return `.zkey${String.fromCharCode(FIRST_LETTER + section)}`;
}
