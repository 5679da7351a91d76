import { describe, expect, it } from 'vitest';
import { CURVES } from '../../sdk/curves/index.js';
import { curveOfJson } from '../../sdk/proofs/groth16/curve-of-json.js';
import { PROOF_SYSTEMS } from '../../sdk/proofs/registry.js';

describe.each(Object.entries(PROOF_SYSTEMS))('the proof system %s', (_, system) => {
  it('names its parts, each once, and a curve with a pairing', () => {
    expect(system.parts.length).toBeGreaterThan(0);
    expect(new Set(system.parts).size).toBe(system.parts.length);
    expect(CURVES[system.usualCurve].pairing).toBeDefined();
  });
});

describe('the curve of a verification key', () => {
  it.each(Object.values(CURVES).filter(({ pairing, snarkjs }) => pairing !== undefined && snarkjs !== undefined))(
    'is $id by each of its names, however they are written',
    ({ id, snarkjs }) => {
      for (const name of [snarkjs!.name, ...snarkjs!.aliases]) {
        for (const written of [name, name.toUpperCase(), name.replace(/(?=\d)/, '-')]) {
          expect(curveOfJson({ curve: written })).toBe(id);
        }
      }
    },
  );

  it('is the usual one where nothing names it', () => {
    for (const json of [undefined, null, 7, 'bn128', {}, { curve: 7 }, { curve: 'secp256k1' }]) {
      expect(curveOfJson(json)).toBe(PROOF_SYSTEMS.groth16.usualCurve);
    }
  });
});
