import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Bytes of a point over BN254, and of an entry of the coefficients. */
const G1_BYTES = 64;
const G2_BYTES = 128;
/** Sections of a .zkey. */
const HEADER = 2;
const POINTS: Readonly<Record<number, number>> = { 5: G1_BYTES, 6: G1_BYTES, 7: G2_BYTES, 8: G1_BYTES, 9: G1_BYTES };
const H = 9;
const C = 8;
/** Where the header over BN254 has the number of wires, of public signals, and the size of the domain. */
const COUNTS_AT = 2 * (4 + 32);

/**
 * Writes a Groth16 key over BN254 of 2^`log` wires and rows, with the points of a smaller key repeated. It proves
 * nothing, but a contribution to it takes the time of one to a circuit of this size, and is verified as one.
 */
export async function writeRepeatedKey(from: string, to: string, log: number): Promise<void> {
  const file = await open(from);
  const bytes = await file.readFile();
  await file.close();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = 2 ** log;
  function* parts(): Generator<Uint8Array> {
    yield bytes.subarray(0, 12);
    for (let at = 12; at < bytes.length; ) {
      const [id, length] = [view.getUint32(at, true), Number(view.getBigUint64(at + 4, true))];
      const section = bytes.subarray(at + 12, at + 12 + length);
      at += 12 + length;
      if (id === HEADER) {
        const header = new DataView(section.buffer, section.byteOffset, section.length);
        const signals = header.getUint32(COUNTS_AT + 4, true);
        counts.set(C, size - signals - 1);
        header.setUint32(COUNTS_AT, size, true);
        header.setUint32(COUNTS_AT + 8, size, true);
      }
      const point = POINTS[id];
      const count = counts.get(id) ?? size;
      const head = new DataView(new ArrayBuffer(12));
      head.setUint32(0, id, true);
      head.setBigUint64(4, BigInt(point === undefined ? length : count * point), true);
      yield new Uint8Array(head.buffer);
      if (point === undefined) yield section;
      else yield* repeated(section, count * point);
    }
  }
  const counts = new Map<number, number>([[H, size]]);
  await pipeline(parts, createWriteStream(to));
}

function* repeated(section: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < length; at += section.length) yield section.subarray(0, Math.min(section.length, length - at));
}
