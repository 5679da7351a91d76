import { bytesAt, type LocatedFile } from './circuit-file.js';

/**
 * Bytes that are read at a time: both small sections of a Groth16 key, which come first, or the head of a large
 * section.
 */
const READ_BYTES = 4096;

const MAGIC = 'zkey';
const [FILE_HEADER_BYTES, SECTION_HEADER_BYTES] = [12, 12];
/** More than any key of snarkjs has. */
const MAX_SECTIONS = 64;

const [PROTOCOL, HEADER] = [1, 2];
const GROTH16 = 1;
const UNIVERSAL: readonly number[] = [2, 10];

/**
 * The number of values of a witness, by the header of a .zkey (`zkey.ts`, `plonk-zkey.ts` and `fflonk-zkey.ts` in
 * `sdk/files/snarkjs` have the forms); undefined if the header cannot be read or the proof system is another. The file
 * is not judged here: its hash is, and a worker reads all of it.
 */
export async function variablesOf(zkey: LocatedFile, what: string): Promise<number | undefined> {
  const reader = new BlockReader(zkey, what);
  const magic = await reader.view(0, FILE_HEADER_BYTES);
  if (magic === undefined || [...MAGIC].some((letter, i) => magic.getUint8(i) !== letter.charCodeAt(0))) {
    return undefined;
  }
  let protocol: number | undefined;
  let variables: Counts | undefined;
  let at = FILE_HEADER_BYTES;
  for (let i = 0; i < MAX_SECTIONS; i++) {
    const section = await reader.view(at, SECTION_HEADER_BYTES);
    if (section === undefined) return undefined;
    const start = at + SECTION_HEADER_BYTES;
    const id = section.getUint32(0, true);
    if (id === PROTOCOL) protocol = (await reader.view(start, 4))?.getUint32(0, true);
    if (id === HEADER) variables = await readCounts(reader, start);
    if (protocol !== undefined && variables !== undefined) return witnessValues(protocol, variables);
    at = start + Number(section.getBigUint64(4, true));
  }
  return undefined;
}

interface Counts {
  readonly signals: number;
  readonly additions: number;
}

/** The results of additions count as signals of a PLONK or FFLONK key, but follow from the witness. */
function witnessValues(protocol: number, { signals, additions }: Counts): number | undefined {
  if (protocol === GROTH16) return signals;
  return UNIVERSAL.includes(protocol) && additions < signals ? signals - additions : undefined;
}

/** After both moduli: signals, public signals, the domain's size; with PLONK and FFLONK then the additions. */
async function readCounts(reader: BlockReader, start: number): Promise<Counts | undefined> {
  let at = start;
  for (let modulus = 0; modulus < 2; modulus++) {
    const size = (await reader.view(at, 4))?.getUint32(0, true);
    if (size === undefined) return undefined;
    at += 4 + size;
  }
  const counts = await reader.view(at, 16);
  return counts && { signals: counts.getUint32(0, true), additions: counts.getUint32(12, true) };
}

/** Reads small parts of a file in blocks, so that neighbouring parts take one request. */
class BlockReader {
  private block: { readonly at: number; readonly bytes: Uint8Array } = { at: 0, bytes: new Uint8Array() };

  constructor(
    private readonly file: LocatedFile,
    private readonly what: string,
  ) {}

  /** Undefined past the end of the file. */
  async view(at: number, count: number): Promise<DataView | undefined> {
    const held = at - this.block.at;
    if (held < 0 || held + count > this.block.bytes.length) {
      if (!Number.isSafeInteger(at)) return undefined;
      this.block = { at, bytes: await bytesAt(this.file, this.what, at, READ_BYTES) };
    }
    const { at: from, bytes } = this.block;
    return at - from + count > bytes.length
      ? undefined
      : new DataView(bytes.buffer, bytes.byteOffset + at - from, count);
  }
}
