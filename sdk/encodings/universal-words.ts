import { PippinError } from '../base/errors.js';
import { bn254, type Curve } from '../curves/index.js';
import {
  FFLONK_COMMITMENTS,
  FFLONK_EVALUATIONS,
  fflonkInverse,
  parseFflonkProof,
} from '../files/snarkjs/fflonk-json.js';
import type { G1Value } from '../files/snarkjs/json-values.js';
import { PLONK_COMMITMENTS, PLONK_EVALUATIONS, parsePlonkProof } from '../files/snarkjs/plonk-json.js';
import { expectCurve, expectOn } from './points.js';

/** A proof system whose Solidity verifiers take a proof as 24 words. */
type UniversalProtocol = 'plonk' | 'fflonk';

/**
 * The 24 numbers of a PLONK or FFLONK proof over BN254, in the order in which snarkjs' Solidity verifiers take them: x
 * and y of each commitment, then the evaluations; infinity is (0, 0). Errors as in `parsePlonkProof`; `CURVE_MISMATCH`
 * for another curve, `INVALID_POINT` for a point that is not on its curve, `INVALID_SCALAR` for an evaluation that is
 * not below r.
 */
export function universalNumbers(protocol: UniversalProtocol, proof: unknown, curve: Curve): bigint[] {
  expectCurve(curve, `snarkjs' Solidity verifier of ${protocol}`, [bn254.id]);
  if (protocol === 'plonk') {
    const { commitments, evaluations } = parsePlonkProof(proof, curve.id);
    return [...pointsOf(curve, PLONK_COMMITMENTS, commitments), ...scalarsOf(curve, PLONK_EVALUATIONS, evaluations)];
  }
  const { commitments, evaluations } = parseFflonkProof(proof, curve.id);
  const scalars = { ...evaluations, inv: fflonkInverse(proof) };
  return [
    ...pointsOf(curve, FFLONK_COMMITMENTS, commitments),
    ...scalarsOf(curve, [...FFLONK_EVALUATIONS, 'inv'], scalars),
  ];
}

/** The text that snarkjs' `exportSolidityCallData` gives for a proof's words and its public signals. */
export function universalCalldata(
  protocol: UniversalProtocol,
  words: readonly string[],
  signals: readonly string[],
): string {
  // snarkjs separates the two arrays of PLONK by nothing, and writes FFLONK's numbers without quotation marks.
  const quote = (word: string): string => (protocol === 'plonk' ? `"${word}"` : word);
  const [first, ...others] = words.map(quote);
  const separator = protocol === 'plonk' ? '' : ',';
  return `[${first}, ${others.join(',')}]${separator}[${signals.map(quote).join(',')}]`;
}

function pointsOf<Name extends string>(
  curve: Curve,
  names: readonly Name[],
  points: Readonly<Record<Name, G1Value>>,
): bigint[] {
  return names.flatMap((name) => {
    expectOn(curve, 'g1', points[name], name);
    const { x, y } = points[name] ?? { x: 0n, y: 0n };
    return [x, y];
  });
}

function scalarsOf<Name extends string>(
  { fr }: Curve,
  names: readonly Name[],
  scalars: Readonly<Record<Name, bigint>>,
): bigint[] {
  return names.map((name) => {
    if (scalars[name] >= fr.modulus) {
      throw new PippinError('INVALID_SCALAR', `expected ${name} below r, got ${scalars[name]}`);
    }
    return scalars[name];
  });
}
