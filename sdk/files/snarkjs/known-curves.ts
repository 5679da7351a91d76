import { PippinError } from '../../base/errors.js';
import { CURVES, type Curve } from '../../curves/index.js';
import { fieldName } from './modulus.js';

/** A curve whose proving keys can be used: snarkjs has a name for it, and Pippin has its pairing. */
type KeyCurve = Curve & Required<Pick<Curve, 'snarkjs' | 'g2' | 'pairing'>>;

/** The curves of the registry whose proving keys can be used, in the registry's order. */
export const KEY_CURVES: readonly KeyCurve[] = Object.values(CURVES).filter(
  (curve): curve is KeyCurve => curve.snarkjs !== undefined && curve.g2 !== undefined && curve.pairing !== undefined,
);

/** Their names in a message: "BN254", or "BN254 or BLS12-381". */
export const KEY_CURVE_NAMES = KEY_CURVES.map(({ name }) => name).join(' or ');

/** The curve with these two moduli, the base field's and the scalar field's; `CURVE_MISMATCH` names the other field. */
export function curveOfModuli(base: bigint, scalar: bigint): KeyCurve {
  const curve = KEY_CURVES.find(({ fq }) => fq.modulus === base);
  if (curve === undefined || curve.fr.modulus !== scalar) {
    const other = curve === undefined ? base : scalar;
    throw new PippinError('CURVE_MISMATCH', `expected a key over ${KEY_CURVE_NAMES}, got one over ${fieldName(other)}`);
  }
  return curve;
}

/**
 * The curve that snarkjs and other provers write under this name; undefined if it is not one of `KEY_CURVES`. As in
 * snarkjs, case and punctuation do not matter.
 */
export function curveOfName(name: string): KeyCurve | undefined {
  const plain = plainName(name);
  return KEY_CURVES.find(({ snarkjs }) => [snarkjs.name, ...snarkjs.aliases].some((n) => plainName(n) === plain));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
