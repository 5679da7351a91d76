/**
 * The bytes of an iden3 file: magic word, version 1, number of sections, and the sections, each after its id (u32) and
 * size (u64).
 */
export function sectionFile(
  magic: string,
  sections: readonly (readonly [id: number, bytes: Uint8Array])[],
): Uint8Array {
  const size = sections.reduce((total, [, bytes]) => total + 12 + bytes.length, 12);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode(magic));
  view.setUint32(4, 1, true);
  view.setUint32(8, sections.length, true);
  let at = 12;
  for (const [id, bytes] of sections) {
    view.setUint32(at, id, true);
    view.setBigUint64(at + 4, BigInt(bytes.length), true);
    file.set(bytes, at + 12);
    at += 12 + bytes.length;
  }
  return file;
}
