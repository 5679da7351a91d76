import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import { CURVES, pointBytes } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { Transcript } from '../../sdk/proofs/transcript.js';
import { generator } from '../../sdk/proofs/verified-points.js';
import { nobleCurve } from '../support/noble-curves.js';
import { failureOf } from '../support/section-bytes.js';

describe.each(KEY_CURVES.map(({ id }) => id))('a transcript over %s', (id) => {
  const r = CURVES[id].fr.modulus;

  it("hashes by Ethereum's Keccak-256, and reduces modulo r", () => {
    // Of 32 and of 64 zero bytes.
    const one = 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n;
    const two = 0xad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5n;
    expect(new Transcript(id).scalar(0n).challenge()).toBe(one % r);
    expect(new Transcript(id).scalar(0n).scalar(0n).challenge()).toBe(two % r);
  });

  it('takes a scalar as 32 bytes and a point uncompressed, both big-endian', () => {
    const scalar = 0x0102n << 200n;
    const { Point } = nobleCurve(id).G1;
    const { x, y } = Point.BASE.multiply(5n).toAffine();
    const size = CURVES[id].coordinateBytes;
    const bigEndian = (value: bigint, length: number): Uint8Array =>
      Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'));
    const bytes = joinBytes([bigEndian(scalar, 32), bigEndian(x, size), bigEndian(y, size), bigEndian(r - 1n, 32)]);
    const point = joinBytes([bigEndian(x, size).reverse(), bigEndian(y, size).reverse()]);
    expect(
      new Transcript(id)
        .scalar(scalar)
        .point(point)
        .scalar(r - 1n)
        .challenge(),
    ).toBe(bytesToBigint(keccak_256(bytes).reverse()) % r);
  });

  it('takes infinity as zeros, and leaves the given bytes as they are', () => {
    const infinity = new Uint8Array(pointBytes(id, 'g1'));
    const expected = bytesToBigint(keccak_256(infinity).reverse()) % r;
    expect(new Transcript(id).point(infinity).challenge()).toBe(expected);
    const point = generator(id, 'g1');
    new Transcript(id).point(point);
    expect(point).toEqual(generator(id, 'g1'));
  });

  it('starts anew after a challenge, and gives none for nothing', async () => {
    const transcript = new Transcript(id);
    const first = transcript.scalar(7n).challenge();
    expect(transcript.scalar(7n).challenge()).toBe(first);
    expect((await failureOf(() => transcript.challenge())).code).toBe('INTERNAL');
    expect((await failureOf(() => transcript.point(new Uint8Array(pointBytes(id, 'g1') - 1)))).code).toBe('INTERNAL');
  });
});
