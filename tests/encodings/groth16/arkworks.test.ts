import { describe, expect, it } from 'vitest';
import type { Groth16ProofJson, Groth16VerificationKey } from '../../../sdk/api/index.js';
import { bytesToBigint, joinBytes } from '../../../sdk/base/bytes.js';
import { CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import {
  arkworksVerificationKey,
  exportVerificationKey,
  readInfo,
  suiVerificationKey,
  toArkworks,
  toGnark,
  toSui,
} from '../../../sdk/encodings-node.js';
import { parseProof, parseVerificationKey } from '../../../sdk/files/snarkjs/groth16-json.js';
import { KEY_CURVES } from '../../../sdk/files/snarkjs/known-curves.js';
import { failureOf } from '../../support/section-bytes.js';
import { loadKernel } from '../../support/wasm.js';
import { arkworksReader, bytesOf, cut, hexOf } from '../decode-points.js';
import { SUI } from '../vectors.js';

describe.each(KEY_CURVES)("arkworks' and Sui's form over $id", (parameters) => {
  const curve = parameters.id;
  const vector = SUI[curve as keyof typeof SUI];
  const name = parameters.snarkjs.name;
  const [g1Bytes, g2Bytes] = [pointBytes(curve, 'g1') / 2, pointBytes(curve, 'g2') / 2];
  const read = arkworksReader(parameters);

  const verificationKey = (): Groth16VerificationKey => {
    const bytes = bytesOf(vector.verificationKey);
    const [alpha, beta, gamma, delta, , ...ic] = cut(bytes, g1Bytes, g2Bytes, g2Bytes, g2Bytes, 8, g1Bytes, g1Bytes);
    return {
      protocol: 'groth16',
      curve: name,
      nPublic: ic.length - 1,
      vk_alpha_1: read.g1(alpha!),
      vk_beta_2: read.g2(beta!),
      vk_gamma_2: read.g2(gamma!),
      vk_delta_2: read.g2(delta!),
      IC: ic.map(read.g1),
    };
  };
  const proof = (): Groth16ProofJson => {
    const [a, b, c] = cut(bytesOf(vector.proof), g1Bytes, g2Bytes, g1Bytes);
    return { pi_a: read.g1(a!), pi_b: read.g2(b!), pi_c: read.g1(c!), protocol: 'groth16', curve: name };
  };
  const publicSignals = [String(bytesToBigint(bytesOf(vector.publicInputs)))];

  it('is that of a verification key which Sui takes', () => {
    const key = verificationKey();
    expect(hexOf(suiVerificationKey(key))).toBe(vector.verificationKey);
    // Sui gives the opposites of gamma and delta in the same form, which shows the signs.
    const opposite = ([x, y, z]: readonly (readonly string[])[]): string[][] => [
      [...x!],
      y!.map((value) => String((parameters.fq.modulus - BigInt(value)) % parameters.fq.modulus)),
      [...z!],
    ];
    expect(read.g2(bytesOf(vector.negatedGamma))).toEqual(opposite(key.vk_gamma_2));
    expect(read.g2(bytesOf(vector.negatedDelta))).toEqual(opposite(key.vk_delta_2));
  });

  it('is that of a proof which Sui accepts', () => {
    const encoded = toSui(proof(), publicSignals);
    expect(hexOf(encoded.proof)).toBe(vector.proof);
    expect(hexOf(encoded.publicInputs)).toBe(vector.publicInputs);
  });

  it('is read as the proof that holds for the prepared key', async () => {
    const { a, b, c } = parseProof(proof(), curve);
    const ic = cut(bytesOf(vector.prepared.ic), g1Bytes, g1Bytes).map(read.g1);
    const key = parseVerificationKey({
      ...verificationKey(),
      IC: ic,
      vk_gamma_2: read.g2(bytesOf(vector.prepared.negatedGamma)),
      vk_delta_2: read.g2(bytesOf(vector.prepared.negatedDelta)),
    });
    const kernel = await loadKernel(curve);
    const encode = (group: 'g1' | 'g2', point: typeof a | typeof b): Uint8Array =>
      encodePoint(curve, group, [point!.x, point!.y]);
    const scalars = joinBytes([new Uint8Array([1, ...new Uint8Array(31)]), bytesOf(vector.publicInputs)]);
    const input = await kernel.combine({
      group: 'g1',
      points: joinBytes(key.ic.map((point) => encode('g1', point))),
      scalars,
    });
    // e(A, B) e(input, -gamma) e(C, -delta) = e(alpha, beta).
    const value = await kernel.pairing({
      g1: joinBytes([encode('g1', a), input, encode('g1', c)]),
      g2: joinBytes([encode('g2', b), encode('g2', key.gamma2), encode('g2', key.delta2)]),
    });
    expect(hexOf(value)).toBe(vector.prepared.alphaBeta);
  });

  it('has x and y, uncompressed', () => {
    const [x, y] = proof().pi_a.map(BigInt) as [bigint, bigint];
    const { proof: bytes } = toArkworks(proof(), publicSignals, { compressed: false });
    expect(bytes.length).toBe(4 * g1Bytes + 2 * g2Bytes);
    const a = bytes.slice(0, 2 * g1Bytes);
    if (curve === 'bn254') {
      const isLarger = 2n * y > parameters.fq.modulus;
      expect(bytesToBigint(a)).toBe(x + (y << 256n) + (isLarger ? 1n << 511n : 0n));
    } else expect(bytesToBigint(a.reverse())).toBe((x << 384n) + y);
    expect(arkworksVerificationKey(verificationKey(), { compressed: false }).length).toBe(
      2 * bytesOf(vector.verificationKey).length - 8,
    );
  });

  it('has flags for infinity and for the larger root alone', () => {
    const key = { ...verificationKey(), IC: [['0', '1', '0'], verificationKey().IC[0]!] };
    const bytes = suiVerificationKey(key);
    const at = bytes.length - 2 * g1Bytes;
    const infinity = new Uint8Array(g1Bytes);
    infinity[curve === 'bn254' ? g1Bytes - 1 : 0] = curve === 'bn254' ? 0x40 : 0xc0;
    expect(bytes.slice(at, at + g1Bytes)).toEqual(infinity);
  });

  it('refuses what Sui refuses', async () => {
    const { modulus } = CURVES[curve].fr;
    expect((await failureOf(() => toSui(proof(), Array(9).fill('1')))).code).toBe('INVALID_LENGTH');
    expect((await failureOf(() => toSui(proof(), [String(modulus)]))).code).toBe('INVALID_SCALAR');
    const offCurve = { ...proof(), pi_a: ['1', '3', '1'] };
    expect((await failureOf(() => toSui(offCurve, publicSignals))).code).toBe('INVALID_POINT');
  });
});

describe('what is no proof with its signals', () => {
  it.each([
    ['signals that are null', () => toSui(PROOF, null as never), 'MALFORMED_FILE'],
    ['no signals', () => toSui(PROOF, undefined as never), 'MALFORMED_FILE'],
    ['a proof that is null', () => toSui(null as never, []), 'MALFORMED_FILE'],
    ['options that are null', () => toArkworks(PROOF, [], null as never), 'INVALID_ARGUMENT'],
    ['options that are null, for gnark', () => toGnark(PROOF, [], null as never), 'INVALID_ARGUMENT'],
    ['a word for a flag', () => toArkworks(PROOF, [], { compressed: 'no' as never }), 'INVALID_ARGUMENT'],
    ['a misspelt option', () => toArkworks(PROOF, [], { compress: true } as never), 'INVALID_ARGUMENT'],
    ['a key that is null', () => suiVerificationKey(null as never), 'MALFORMED_FILE'],
  ])('is refused with a code: %s', (_, call, code) => {
    expect(call).toThrow(expect.objectContaining({ name: 'PippinError', code }));
  });

  it('is refused by what reads files, too', async () => {
    await expect(exportVerificationKey(new Uint8Array(), null as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const call = readInfo(new Uint8Array(), { signal: {} as never });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

/** A proof of infinities: well formed, and for no statement. */
const PROOF: Groth16ProofJson = {
  pi_a: ['0', '1', '0'],
  pi_b: [
    ['0', '0'],
    ['1', '0'],
    ['0', '0'],
  ],
  pi_c: ['0', '1', '0'],
  protocol: 'groth16',
  curve: 'bn128',
};
