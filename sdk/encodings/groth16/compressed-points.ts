import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { bls12381, bn254, type Curve, type CurveId } from '../../curves/index.js';
import type { G1Value, G2Value } from '../../files/snarkjs/json-values.js';
import { bigEndian } from '../points.js';

/**
 * How a library writes points. Flags are bits of the byte that has the highest bits of a coordinate, which p leaves
 * free: the first byte in big-endian formats, the last in little-endian ones. In big-endian formats c1 comes before c0.
 */
export interface PointFormat {
  readonly bigEndian: boolean;
  /** The flags of a compressed point, which is x alone. */
  readonly compressed: number;
  /** The flag for a y that is larger than -y. For y = (c0, c1) that depends on c1, or on c0 where c1 is 0. */
  readonly larger: number;
  /** Whether an uncompressed point, which is x and y, has this flag as well, in its last byte. */
  readonly largerInBoth: boolean;
  /** The flags of infinity, compressed and uncompressed. */
  readonly infinity: readonly [compressed: number, uncompressed: number];
}

/** arkworks' own form of points on short Weierstrass curves (ark-serialize, `SWFlags`). */
const ARKWORKS: PointFormat = {
  bigEndian: false,
  compressed: 0,
  larger: 0x80,
  largerInBoth: true,
  infinity: [0x40, 0x40],
};

/**
 * Zcash's form of points on BLS12-381, which arkworks, gnark and blst have as well
 * (draft-irtf-cfrg-pairing-friendly-curves, appendix C).
 */
const ZCASH: PointFormat = {
  bigEndian: true,
  compressed: 0x80,
  larger: 0x20,
  largerInBoth: false,
  infinity: [0xc0, 0x40],
};

/** gnark-crypto's form of points on BN254, which leaves two bits free (ecc/bn254/marshal.go). */
const GNARK_BN254: PointFormat = {
  bigEndian: true,
  compressed: 0x80,
  larger: 0x40,
  largerInBoth: false,
  infinity: [0x40, 0],
};

/** The forms of arkworks and of gnark by curve. */
export const ARKWORKS_FORMATS: Partial<Record<CurveId, PointFormat>> = { [bn254.id]: ARKWORKS, [bls12381.id]: ZCASH };
export const GNARK_FORMATS: Partial<Record<CurveId, PointFormat>> = { [bn254.id]: GNARK_BN254, [bls12381.id]: ZCASH };

/** Writes points of a curve in a format. */
export class PointWriter {
  constructor(
    private readonly curve: Curve,
    private readonly format: PointFormat,
    private readonly isCompressed: boolean,
  ) {}

  g1(point: G1Value): Uint8Array {
    return this.write(1, point === undefined ? undefined : [[point.x], [point.y]]);
  }

  g2(point: G2Value): Uint8Array {
    return this.write(2, point === undefined ? undefined : [point.x, point.y]);
  }

  /** @param degree the number of coefficients of a coordinate. */
  private write(degree: number, point: readonly (readonly bigint[])[] | undefined): Uint8Array {
    const { format, isCompressed, curve } = this;
    const written = isCompressed ? 1 : 2;
    if (point === undefined) {
      const zeros = new Uint8Array(written * degree * curve.coordinateBytes);
      return this.flagged(zeros, format.infinity[isCompressed ? 0 : 1]);
    }
    const bytes = joinBytes(point.slice(0, written).flatMap((coordinate) => this.coefficients(coordinate)));
    const isLarger = this.isLarger(point[1]!) && (isCompressed || format.largerInBoth);
    return this.flagged(bytes, (isCompressed ? format.compressed : 0) | (isLarger ? format.larger : 0));
  }

  private coefficients(coordinate: readonly bigint[]): Uint8Array[] {
    const { coordinateBytes } = this.curve;
    return this.format.bigEndian
      ? [...coordinate].reverse().map((value) => bigEndian(value, coordinateBytes))
      : coordinate.map((value) => bigintToBytes(value, coordinateBytes));
  }

  private isLarger(y: readonly bigint[]): boolean {
    const deciding = [...y].reverse().find((value) => value !== 0n) ?? 0n;
    return 2n * deciding > this.curve.fq.modulus;
  }

  private flagged(bytes: Uint8Array, flags: number): Uint8Array {
    bytes[this.format.bigEndian ? 0 : bytes.length - 1]! |= flags;
    return bytes;
  }
}
