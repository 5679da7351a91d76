import type { Groth16VerificationKey } from '../../api/index.js';
import { bn254, CURVES, type CurveId } from '../../curves/index.js';
import { expectCurve } from '../points.js';

/**
 * A Solidity contract that verifies the proofs of one key over BN254 by the precompiles of EIP-196 (6: addition, 7:
 * multiplication by a scalar) and EIP-197 (8: product of pairings). With L = IC[0] + sum of signal i times IC[i + 1] a
 * proof (A, B, C) holds if e(-A, B) e(alpha, beta) e(L, gamma) e(C, delta) = 1 (Groth, "On the Size of Pairing-based
 * Non-interactive Arguments", 2016/260, section 3.2).
 *
 * The precompiles refuse points off their curve or, in G2, off the subgroup, and coordinates that are not below p, so
 * that the contract itself checks what it computes with: the signals, and A's y, which it negates.
 *
 * @param id the key's curve; `CURVE_MISMATCH` unless it is BN254.
 * @param key with finite points; the points of `IC` may be infinity.
 * @returns the source of the contract `Groth16Verifier`. Without public signals its `verifyProof` takes none, because
 * Solidity has no arrays of length 0.
 */
export function solidityVerifier(id: CurveId, key: Groth16VerificationKey): string {
  expectCurve(CURVES[id], 'a Solidity verifier', [bn254.id]);
  const signals = key.IC.length - 1;
  const [first, ...others] = key.IC.map(g1Words);
  const terms = others.map(
    (_, i) => `        if (!addTerm(sum, IC${i + 1}_X, IC${i + 1}_Y, _pubSignals[${i}])) return false;`,
  );
  return `${[
    ...HEAD,
    ...constant('R', bn254.fr.modulus, 'The order of the groups, below which public signals are.'),
    ...constant('P', bn254.fq.modulus, 'The modulus of coordinates.'),
    '    // The verification key. Of a coordinate in G2, C1 is the coefficient of u, which EIP-197 has first.',
    ...pointConstants('ALPHA', G1_NAMES, g1Words(key.vk_alpha_1)),
    ...pointConstants('BETA', G2_NAMES, g2Words(key.vk_beta_2)),
    ...pointConstants('GAMMA', G2_NAMES, g2Words(key.vk_gamma_2)),
    ...pointConstants('DELTA', G2_NAMES, g2Words(key.vk_delta_2)),
    ...[first!, ...others].flatMap((words, i) => pointConstants(`IC${i}`, G1_NAMES, words)),
    '',
    '    /// Whether a proof holds for its public signals. Words that are not below their modulus, and points off their',
    '    /// curve, make it false.',
    '    function verifyProof(',
    '        uint[2] calldata _pA,',
    '        uint[2][2] calldata _pB,',
    `        uint[2] calldata _pC${signals === 0 ? '' : ','}`,
    ...(signals === 0 ? [] : [`        uint[${signals}] calldata _pubSignals`]),
    '    ) public view returns (bool) {',
    '        uint256[2] memory sum = [IC0_X, IC0_Y];',
    ...terms,
    ...PAIRING,
    ...(signals === 0 ? [] : ADD_TERM),
    '}',
  ].join('\n')}\n`;
}

const G1_NAMES = ['X', 'Y'];
const G2_NAMES = ['X_C1', 'X_C0', 'Y_C1', 'Y_C0'];

const HEAD = [
  '// SPDX-License-Identifier: MIT OR Apache-2.0',
  'pragma solidity >=0.7.0 <0.9.0;',
  '',
  '/// Verifies Groth16 proofs over BN254 for one verification key. Written by pippin-prover from a .zkey.',
  'contract Groth16Verifier {',
];

/** The product of four pairings, whose words lie in the order of the precompile's input. */
const PAIRING = `
        if (_pA[1] >= P) return false;
        // -A and B, alpha and beta, the sum and gamma, C and delta.
        uint256[24] memory pairs = [
            _pA[0], (P - _pA[1]) % P, _pB[0][0], _pB[0][1], _pB[1][0], _pB[1][1],
            ALPHA_X, ALPHA_Y, BETA_X_C1, BETA_X_C0, BETA_Y_C1, BETA_Y_C0,
            sum[0], sum[1], GAMMA_X_C1, GAMMA_X_C0, GAMMA_Y_C1, GAMMA_Y_C0,
            _pC[0], _pC[1], DELTA_X_C1, DELTA_X_C0, DELTA_Y_C1, DELTA_Y_C0
        ];
        uint256[1] memory product;
        bool done;
        assembly {
            done := staticcall(gas(), 8, pairs, 768, product, 32)
        }
        return done && product[0] == 1;
    }`.split('\n');

/** The two calls share their words: the multiplication writes its result where the addition takes its second point. */
const ADD_TERM = `
    /// Adds scalar times (x, y) to the sum. False for a scalar that is not below R, and if a precompile fails.
    function addTerm(uint256[2] memory sum, uint256 x, uint256 y, uint256 scalar) private view returns (bool done) {
        if (scalar >= R) return false;
        uint256[5] memory words = [sum[0], sum[1], x, y, scalar];
        assembly {
            done := staticcall(gas(), 7, add(words, 64), 96, add(words, 64), 64)
            if done {
                done := staticcall(gas(), 6, words, 128, sum, 64)
            }
        }
    }`.split('\n');

/** A point of G1; infinity is (0, 0) to the precompiles. */
function g1Words([x, y, z]: readonly string[]): string[] {
  return z === '0' ? ['0', '0'] : [x!, y!];
}

function g2Words([x, y]: readonly (readonly string[])[]): string[] {
  return [x![1]!, x![0]!, y![1]!, y![0]!];
}

function pointConstants(name: string, coordinates: readonly string[], words: readonly string[]): string[] {
  return coordinates.flatMap((coordinate, i) => constant(`${name}_${coordinate}`, words[i]!));
}

function constant(name: string, value: string | bigint, comment?: string): string[] {
  const told = comment === undefined ? [] : [`    // ${comment}`];
  return [...told, `    uint256 private constant ${name} = ${value};`];
}
