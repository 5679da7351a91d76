import { describe, expect, it } from 'vitest';
import type { Groth16ProofJson } from '../../../sdk/api/index.js';
import { toGnark } from '../../../sdk/encodings-node.js';
import { KEY_CURVES } from '../../../sdk/files/snarkjs/known-curves.js';
import { failureOf } from '../../support/section-bytes.js';
import { hexOf } from '../decode-points.js';
import { GNARK } from '../vectors.js';

describe.each(KEY_CURVES)('toGnark over $id', ({ id, fr, snarkjs }) => {
  const { compressed, raw, ...points } = GNARK[id as keyof typeof GNARK];
  const proof: Groth16ProofJson = { ...points, protocol: 'groth16', curve: snarkjs.name };

  it('gives the bytes that gnark reads and writes', () => {
    expect(hexOf(toGnark(proof, []).proof)).toBe(compressed);
    expect(hexOf(toGnark(proof, [], { compressed: false }).proof)).toBe(raw);
  });

  it('gives the public values after their numbers', () => {
    const last = fr.modulus - 1n;
    expect(hexOf(toGnark(proof, ['258', String(last)]).publicWitness)).toBe(
      `000000020000000000000002${'102'.padStart(64, '0')}${last.toString(16).padStart(64, '0')}`,
    );
    expect(hexOf(toGnark(proof, []).publicWitness)).toBe('0'.repeat(24));
  });

  it('refuses signals out of range and points off their curves', async () => {
    expect((await failureOf(() => toGnark(proof, [String(fr.modulus)]))).code).toBe('INVALID_SCALAR');
    const offCurve = { ...proof, pi_c: ['1', '3', '1'] };
    expect((await failureOf(() => toGnark(offCurve, []))).code).toBe('INVALID_POINT');
  });
});
