import { CURVES } from '../../sdk/curves/index.js';
import { parseProof, parseVerificationKey } from '../../sdk/files/snarkjs/parse-proof.js';
import { type G1Value, type G2Value, parsePublicSignals } from '../../sdk/files/snarkjs/parse-values.js';

/** The same numbers as snarkjs writes them itself; undefined if they are no key, signals and proof. */
export function inSnarkjsForm([key, signals, proof]: readonly unknown[]):
  | readonly [key: object, signals: string[], proof: object]
  | undefined {
  try {
    const { curve, alpha1, beta2, gamma2, delta2, ic } = parseVerificationKey(key);
    const { a, b, c } = parseProof(proof, curve);
    const name = CURVES[curve].snarkjs!.name;
    const numbers = parsePublicSignals(signals, curve);
    if (numbers === undefined) return undefined;
    const written = {
      protocol: 'groth16',
      curve: name,
      nPublic: ic.length - 1,
      vk_alpha_1: g1(alpha1),
      vk_beta_2: g2(beta2),
      vk_gamma_2: g2(gamma2),
      vk_delta_2: g2(delta2),
      IC: ic.map(g1),
    };
    return [written, numbers.map(String), { protocol: 'groth16', curve: name, pi_a: g1(a), pi_b: g2(b), pi_c: g1(c) }];
  } catch {
    return undefined;
  }
}

function g1(point: G1Value): string[] {
  return point === undefined ? ['0', '1', '0'] : [String(point.x), String(point.y), '1'];
}

function g2(point: G2Value): string[][] {
  if (point === undefined)
    return [
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ];
  return [point.x.map(String), point.y.map(String), ['1', '0']];
}
