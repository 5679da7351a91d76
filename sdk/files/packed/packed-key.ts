import { newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import type { Curve, CurveId, GroupId } from '../../curves/index.js';
import { type ByteSource, expectWithin, joinSources, memorySource } from '../byte-source.js';
import { sectionHead, words } from '../snarkjs/section-file.js';
import { HEADER_SECTION, readCurve } from '../snarkjs/zkey-header.js';
import { unpackedCoefficients } from './coefficients.js';
import {
  expectHash,
  METHOD,
  malformedPackedKey,
  type PackedHeader,
  type PackedSection,
  PIECE_BYTES,
  readHeader,
} from './header.js';
import { infinityBytes } from './infinities.js';
import { unpackedPoints } from './points.js';
import { unpackedC0, unpackedLagrange, unpackedPolynomials } from './polynomials.js';

/** Computes what a packed key leaves out. */
export interface UnpackingKernels {
  /** See `decompressPoints` of the kernels. */
  decompress(
    curve: CurveId,
    group: GroupId,
    compressed: Uint8Array<ArrayBuffer>,
    what: string,
    first: number,
  ): Promise<Uint8Array>;
  /** See `Transform`. */
  transform(curve: CurveId, values: Uint8Array, direction: 'forward' | 'inverse'): Promise<Uint8Array>;
}

/** A packed key, read as the .zkey that it was made of. */
interface PackedKey {
  readonly header: PackedHeader;
  /** The bytes of the .zkey; sections are unpacked as far as they are read. */
  readonly zkey: ByteSource;
}

/**
 * Opens a packed key. Its header alone is read here, and the infinities and tables of a section when it is first read.
 * `MALFORMED_FILE` for a file that contradicts itself or was damaged, `UNSUPPORTED_FORMAT` for another version,
 * `INVALID_POINT` for an x that belongs to no point of the curve.
 */
export async function openPackedKey(file: ByteSource, kernels: UnpackingKernels): Promise<PackedKey> {
  const { header, end } = await readHeader(file);
  const opening = new OpenSections(file, header, end, kernels);
  const inPlace = [...header.sections].sort((a, b) => a.place - b.place);
  const beginning = [new TextEncoder().encode('zkey'), words(1, inPlace.length)].map(memorySource);
  const zkey = joinSources([
    ...beginning,
    ...inPlace.flatMap((section) => [memorySource(sectionHead(section.id, section.size)), opening.section(section)]),
  ]);
  zkey.name = file.name;
  return { header, zkey };
}

/** The sections of a packed key, each of which is opened when it is first read. */
class OpenSections {
  private readonly pieces: VerifiedPieces;
  private readonly starts = new Map<number, number>();
  private readonly sections = new Map<number, PackedSection>();
  private readonly opened = new Map<number, Promise<ByteSource>>();
  private knownCurve: Promise<Curve> | undefined;

  constructor(
    file: ByteSource,
    { sections }: PackedHeader,
    end: number,
    private readonly kernels: UnpackingKernels,
  ) {
    this.pieces = new VerifiedPieces(file);
    let at = end;
    for (const section of sections) {
      this.sections.set(section.id, section);
      this.starts.set(section.id, at);
      at += section.packed;
    }
  }

  section(section: PackedSection): ByteSource {
    return {
      size: section.size,
      read: async (offset, length) => (await this.unpacked(section)).read(offset, length),
    };
  }

  /** The section as it is in the .zkey. What fails is tried again by the next read. */
  private unpacked(section: PackedSection): Promise<ByteSource> {
    const { id } = section;
    let opening = this.opened.get(id);
    if (opening === undefined) {
      opening = this.open(section);
      opening.catch(() => this.opened.delete(id));
      this.opened.set(id, opening);
    }
    return opening;
  }

  private async open(section: PackedSection): Promise<ByteSource> {
    const packed = this.packed(section);
    switch (section.method) {
      case METHOD.plain:
        if (packed.size !== section.size) {
          throw malformedPackedKey(`${section.size} bytes in section ${section.id}`, `${packed.size}`);
        }
        return packed;
      case METHOD.coefficients:
        return unpackedCoefficients(section, packed);
      case METHOD.points:
      case METHOD.compressedPoints: {
        const curve = await this.curve();
        const decompress = this.kernels.decompress.bind(this.kernels, curve.id);
        return unpackedPoints({ section, packed, curve, decompress }, (id) => this.infinitiesOf(id));
      }
      case METHOD.evaluations:
        return unpackedPolynomials(section, packed, await this.transform());
      case METHOD.lagrange:
        return unpackedLagrange(section, await this.curve(), await this.transform());
      case METHOD.interleaved:
        return unpackedC0(section, async (id) => this.unpacked(this.expectSection(id, METHOD.evaluations)));
    }
  }

  private packed(section: PackedSection): ByteSource {
    return this.pieces.section(section, this.starts.get(section.id)!);
  }

  private async transform(): Promise<(values: Uint8Array, direction: 'forward' | 'inverse') => Promise<Uint8Array>> {
    const { id } = await this.curve();
    return this.kernels.transform.bind(this.kernels, id);
  }

  /** The infinities that a section of points has in front of its points. */
  private async infinitiesOf(id: number): Promise<Uint8Array> {
    const section = this.sections.get(id);
    const isOfPoints = section?.method === METHOD.points || section?.method === METHOD.compressedPoints;
    if (!isOfPoints || section.parameters[1] !== id) {
      throw malformedPackedKey(`a section ${id} with infinities`, 'none');
    }
    const { coordinateBytes } = await this.curve();
    const count = section.size / (2 * section.parameters[0] * coordinateBytes);
    return this.packed(section).read(0, infinityBytes(count));
  }

  private expectSection(id: number, method: number): PackedSection {
    const section = this.sections.get(id);
    if (section?.method !== method) throw malformedPackedKey(`a section ${id} of polynomials`, 'none');
    return section;
  }

  /** The curve by the moduli at the beginning of the .zkey's header, which is not packed. */
  private curve(): Promise<Curve> {
    this.knownCurve ??= this.readCurve();
    this.knownCurve.catch(() => {
      this.knownCurve = undefined;
    });
    return this.knownCurve;
  }

  private async readCurve(): Promise<Curve> {
    const section = this.expectSection(HEADER_SECTION, METHOD.plain);
    return (await readCurve(this.packed(section))).curve;
  }
}

/** Kernels for readers of headers, which are not packed. `UNSUPPORTED_FORMAT` where they read points. */
export const NO_KERNELS: UnpackingKernels = {
  decompress: async () => {
    throw withoutKernels();
  },
  transform: async () => {
    throw withoutKernels();
  },
};

function withoutKernels(): PippinError {
  return new PippinError('UNSUPPORTED_FORMAT', 'expected a .zkey, got a packed key, whose points are not read here', {
    hint: '`pippin unpack` gives the .zkey back',
  });
}

/** Pieces that are kept: as many as vectors of points are read at a time, and some more. */
const MAX_KEPT = 64;

/**
 * Reads sections of a packed key by pieces whose hashes are checked. Pieces that were read last are kept, since several
 * reads follow each other in one piece.
 */
class VerifiedPieces {
  private readonly kept = new Map<number, Promise<Uint8Array>>();

  constructor(private readonly file: ByteSource) {}

  /** The packed bytes of a section that begin at byte `start` of the file. */
  section({ id, packed, hashes }: PackedSection, start: number): ByteSource {
    const piece = (number: number): Promise<Uint8Array> => {
      const at = number * PIECE_BYTES;
      const length = Math.min(PIECE_BYTES, packed - at);
      return this.piece(start + at, length, hashes[number]!, `bytes ${at} to ${at + length - 1} of section ${id}`);
    };
    return {
      size: packed,
      async read(offset, length) {
        expectWithin(packed, offset, length);
        const bytes = newBytes(length);
        for (let done = 0; done < length; ) {
          const number = Math.floor((offset + done) / PIECE_BYTES);
          const within = offset + done - number * PIECE_BYTES;
          const part = (await piece(number)).subarray(within, within + length - done);
          bytes.set(part, done);
          done += part.length;
        }
        return bytes;
      },
    };
  }

  private piece(at: number, length: number, hash: Uint8Array, what: string): Promise<Uint8Array> {
    const known = this.kept.get(at);
    // The one that was used last comes last.
    this.kept.delete(at);
    const piece = known ?? this.readPiece(at, length, hash, what);
    this.kept.set(at, piece);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT) this.kept.delete(oldest!);
    return piece;
  }

  private readPiece(at: number, length: number, hash: Uint8Array, what: string): Promise<Uint8Array> {
    const reading = this.file.read(at, length).then(async (bytes) => {
      await expectHash(bytes, hash, what);
      return bytes;
    });
    // The next read tries again.
    reading.catch(() => this.kept.delete(at));
    return reading;
  }
}
