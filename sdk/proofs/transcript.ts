import { keccak_256 } from '@noble/hashes/sha3.js';
import { bigintToBytes, bytesToBigint } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../curves/index.js';

/**
 * The transcript from which snarkjs' PLONK and FFLONK derive their challenges (the Fiat-Shamir transform): Keccak-256,
 * as Ethereum has it, over points and scalars one after another. A scalar is its 32 bytes, big-endian; a point of G1 is
 * x and y, each big-endian, or zeros for infinity. A challenge is the hash as a big-endian number modulo r.
 */
export class Transcript {
  private hash = keccak_256.create();
  private isEmpty = true;

  constructor(private readonly curve: CurveId) {}

  /** Takes an affine point of G1 in the boundary form. */
  point(bytes: Uint8Array): this {
    const expected = pointBytes(this.curve, 'g1');
    if (bytes.length !== expected) {
      throw new PippinError('INTERNAL', `expected a point of ${expected} bytes, got ${bytes.length}`);
    }
    const half = expected / 2;
    return this.take(bytes.slice(0, half).reverse()).take(bytes.slice(half).reverse());
  }

  /** Takes a scalar, 0 <= x < r. */
  scalar(x: bigint): this {
    return this.take(bigintToBytes(x, SCALAR_BYTES).reverse());
  }

  /** The challenge for everything taken since the last one; the transcript is empty afterwards. */
  challenge(): bigint {
    if (this.isEmpty)
      throw new PippinError('INTERNAL', 'expected a transcript with points or scalars, got an empty one');
    const digest = this.hash.digest();
    this.hash = keccak_256.create();
    this.isEmpty = true;
    return bytesToBigint(digest.reverse()) % CURVES[this.curve].fr.modulus;
  }

  private take(bytes: Uint8Array): this {
    this.hash.update(bytes);
    this.isEmpty = false;
    return this;
  }
}
