import type { Groth16Proof, Groth16VerificationKey } from '../../sdk/api/index.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { TestCircuit } from './circuits.js';
import { addAffine, multiplyAffine } from './curve-reference.js';
import { patched, sectionsOf, withSection } from './section-bytes.js';

/**
 * A circuit's keys with gamma for delta, as those of a set-up without a contribution. The points of the vectors are
 * those of another delta.
 */
export function unfinished(id: CurveId, circuit: TestCircuit): Pick<TestCircuit, 'zkey' | 'verificationKey'> {
  const verificationKey = { ...circuit.verificationKey, vk_delta_2: circuit.verificationKey.vk_gamma_2 };
  const [g1, g2] = [pointBytes(id, 'g1'), pointBytes(id, 'g2')];
  // The points of the header: alpha1, beta1, beta2, gamma2, delta1, delta2.
  const points = 4 + CURVES[id].coordinateBytes + 4 + SCALAR_BYTES + 12;
  const gamma2 = points + 2 * g1 + g2;
  const header = sectionsOf(circuit.zkey).find(([number]) => number === 2)![1];
  const zkey = withSection(circuit.zkey, 2, (body) =>
    patched(body, gamma2 + g2 + g1, header.slice(gamma2, gamma2 + g2)),
  );
  return { zkey, verificationKey };
}

/**
 * A proof for a key whose gamma and delta are equal, of any signals: A = alpha, B = beta, C = -(IC_0 + sum x_i IC_i).
 */
export function forged(id: CurveId, key: Groth16VerificationKey, signals: readonly string[]): Groth16Proof {
  const curve = CURVES[id];
  const points = key.IC.map(([x, y]) => [BigInt(x!), BigInt(y!)] as const);
  const terms = points.map((point, i) => (i === 0 ? point : multiplyAffine(curve, point, BigInt(signals[i - 1]!))));
  const sum = terms.reduce((total, term) => addAffine(curve, total, term));
  const [x, y] = sum!;
  const pi_c = [String(x), String(curve.fq.modulus - y), '1'];
  return { pi_a: key.vk_alpha_1, pi_b: key.vk_beta_2, pi_c, protocol: 'groth16', curve: key.curve };
}
