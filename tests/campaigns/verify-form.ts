import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { parseFflonkProof, parseFflonkVerificationKey } from '../../sdk/files/snarkjs/fflonk-json.js';
import { parseProof, parseVerificationKey } from '../../sdk/files/snarkjs/groth16-json.js';
import { type G1Value, type G2Value, parsePublicSignals } from '../../sdk/files/snarkjs/json-values.js';
import type { DomainOfKey } from '../../sdk/files/snarkjs/plonk-domain.js';
import { parsePlonkProof, parsePlonkVerificationKey } from '../../sdk/files/snarkjs/plonk-json.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import type { Verification } from './verify-places.js';

/** A key and a proof as snarkjs writes them, and the curve of both. */
interface Written {
  readonly curve: CurveId;
  readonly key: object;
  readonly proof: object;
}

const WRITERS: Readonly<Record<Verification['system'], (key: unknown, proof: unknown) => Written>> = {
  groth16(key, proof) {
    const { curve, alpha1, beta2, gamma2, delta2, ic } = parseVerificationKey(key);
    const { a, b, c } = parseProof(proof, curve);
    return {
      curve,
      key: {
        nPublic: ic.length - 1,
        vk_alpha_1: g1(alpha1),
        vk_beta_2: g2(beta2),
        vk_gamma_2: g2(gamma2),
        vk_delta_2: g2(delta2),
        IC: ic.map(g1),
      },
      proof: { pi_a: g1(a), pi_b: g2(b), pi_c: g1(c) },
    };
  },
  plonk(key, proof) {
    const { curve, commitments, X_2, ...domain } = parsePlonkVerificationKey(key);
    const parts = parsePlonkProof(proof, curve);
    return {
      curve,
      key: { ...domainOf(curve, domain), ...each(commitments, g1), X_2: g2(X_2) },
      proof: { ...each(parts.commitments, g1), ...each(parts.evaluations, String) },
    };
  },
  fflonk(key, proof) {
    const { curve, roots, X_2, C0, ...domain } = parseFflonkVerificationKey(key);
    const { commitments, evaluations } = parseFflonkProof(proof, curve);
    return {
      curve,
      key: { ...domainOf(curve, domain), ...each(roots, String), X_2: g2(X_2), C0: g1(C0) },
      proof: { polynomials: each(commitments, g1), evaluations: { ...each(evaluations, String), inv: '1' } },
    };
  },
};

/** The same numbers as snarkjs writes them itself; undefined if they are no key, signals and proof. */
export function inSnarkjsForm(
  system: Verification['system'],
  [key, signals, proof]: readonly unknown[],
): readonly [key: object, signals: string[], proof: object] | undefined {
  try {
    const written = WRITERS[system](key, proof);
    const numbers = parsePublicSignals(signals, written.curve);
    if (numbers === undefined) return undefined;
    const names = { protocol: system, curve: CURVES[written.curve].snarkjs!.name };
    return [{ ...names, ...written.key }, numbers.map(String), { ...names, ...written.proof }];
  } catch {
    return undefined;
  }
}

function domainOf(curve: CurveId, { publicSignals, domainSize, k1, k2 }: DomainOfKey): object {
  const w = String(rootOfDomain(curve, domainSize));
  return { nPublic: publicSignals, power: Math.log2(domainSize), k1: String(k1), k2: String(k2), w };
}

function each<Name extends string, Value, Json>(
  values: Readonly<Record<Name, Value>>,
  write: (value: Value) => Json,
): Record<string, Json> {
  return Object.fromEntries(Object.entries<Value>(values).map(([name, value]) => [name, write(value)]));
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
