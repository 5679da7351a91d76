import { joinBytes } from '../../sdk/base/bytes.js';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';

/** One section of an iden3 file. */
export type Section = readonly [id: number, body: Uint8Array];

/** The bytes of an iden3 file with these sections. */
export function sectionFile(magic: string, version: number, sections: readonly Section[]): Uint8Array {
  return joinBytes([
    new TextEncoder().encode(magic),
    u32(version),
    u32(sections.length),
    ...sections.flatMap(([id, body]) => [u32(id), u32(body.length), u32(0), body]),
  ]);
}

/** The sections of a complete iden3 file. */
export function sectionsOf(file: Uint8Array): Section[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const sections: Section[] = [];
  for (let offset = 12; offset < file.length; ) {
    const size = view.getUint32(offset + 4, true);
    sections.push([view.getUint32(offset, true), file.slice(offset + 12, offset + 12 + size)]);
    offset += 12 + size;
  }
  return sections;
}

/** The file with one section's body changed. */
export function withSection(file: Uint8Array, id: number, change: (body: Uint8Array) => Uint8Array): Uint8Array {
  const magic = String.fromCharCode(...file.subarray(0, 4));
  const version = new DataView(file.buffer, file.byteOffset).getUint32(4, true);
  const sections = sectionsOf(file).map(([other, body]): Section => [other, other === id ? change(body) : body]);
  return sectionFile(magic, version, sections);
}

/** The files .zkeyb to .zkeyk that zk-email's fork of snarkjs writes for a key, one for each section. */
export function zkeyChunks(zkey: Uint8Array): Uint8Array[] {
  return [...sectionsOf(zkey)]
    .sort(([a], [b]) => a - b)
    .map(([id, body]) => {
      const magic = new TextEncoder().encode(`zky${String.fromCharCode('a'.charCodeAt(0) + id)}`);
      return joinBytes([magic, u32(1), u32(1), u32(body.length), u32(0), body]);
    });
}

/** A copy of the bytes, with `patch` written over them at `offset`. */
export function patched(bytes: Uint8Array, offset: number, patch: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy.set(patch, offset);
  return copy;
}

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** The parts of a PippinError that tests compare. */
export interface Failure {
  readonly code: PippinErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The error of a call that must fail with a PippinError; any other error, or none, fails the test. */
export async function failureOf(call: () => unknown): Promise<Failure> {
  try {
    await call();
  } catch (error) {
    if (error instanceof PippinError) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('expected the call to fail, but it succeeded');
}
