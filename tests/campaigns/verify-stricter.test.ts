import { beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof, Groth16VerificationKey } from '../../sdk/api/index.js';
import { testCircuit } from '../support/circuits.js';
import { stricterIn } from './verify-stricter.js';

const INFINITY = ['0', '1', '0'];
const NO_POINT = ['0', '0', '1'];
const OUTSIDE_KEY = { name: 'a point of the key is outside of its group, or infinity', outcome: 'INVALID_POINT' };
const OUTSIDE_PROOF = { name: 'a point of the proof is outside of its group', outcome: false };
const UNFINISHED = { name: 'gamma and delta of the key are equal', outcome: 'KEY_UNFINISHED' };

describe('stricterIn', () => {
  let key: Groth16VerificationKey;
  let proof: Groth16Proof;
  const signals = ['0', '0'];
  beforeAll(async () => {
    ({ verificationKey: key } = await testCircuit('chain'));
    // Any points of the groups.
    proof = { protocol: 'groth16', curve: 'bn128', pi_a: key.IC[0]!, pi_b: key.vk_beta_2, pi_c: key.IC[1]! };
  });

  const stricter = (changed: Partial<Groth16VerificationKey>, points: Partial<Groth16Proof> = {}): object[] =>
    stricterIn('groth16', 'bn254', [{ ...key, ...changed }, signals, { ...proof, ...points }]).map(
      ({ name, outcome }) => ({
        name,
        outcome,
      }),
    );

  it('finds nothing in what both take alike', () => {
    expect(stricter({})).toEqual([]);
    expect(stricter({ vk_delta_2: key.vk_delta_2.slice(0, 2) })).toEqual([]);
    for (const infinity of [INFINITY, ['0', '0']]) {
      expect(stricter({ IC: key.IC.with(1, infinity) }, { pi_c: infinity })).toEqual([]);
    }
  });

  it('finds (0, 0) with z = 1, which is no infinity', () => {
    expect(stricter({ IC: key.IC.with(1, NO_POINT) })).toEqual([OUTSIDE_KEY]);
    expect(stricter({ vk_alpha_1: NO_POINT })).toEqual([OUTSIDE_KEY]);
    expect(stricter({}, { pi_c: NO_POINT })).toEqual([OUTSIDE_PROOF]);
  });

  it('finds equal gamma and delta, with z or without', () => {
    const [x, y] = key.vk_delta_2 as [string[], string[]];
    for (const vk_gamma_2 of [key.vk_delta_2, [x, y], [x.map((value) => `0${value}`), y, ['1', '0']]]) {
      expect(stricter({ vk_gamma_2 })).toEqual([UNFINISHED]);
    }
    expect(stricter({ vk_gamma_2: [x, [...y].reverse(), ['1', '0']] })).not.toContainEqual(UNFINISHED);
  });
});
