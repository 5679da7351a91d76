import { CURVES, type Curve, type CurveId } from '../../curves/index.js';

/** The curves over which Groth16 can be verified, in the order of the registry. */
const PAIRING_CURVES: readonly Curve[] = Object.values(CURVES).filter(({ pairing }) => pairing !== undefined);

/** The curve of most keys. */
export const USUAL_CURVE: CurveId = PAIRING_CURVES[0]!.id;

/**
 * The curve of a proof or verification key in snarkjs' JSON form, by the name that it gives. Some tools leave the name out: that is the
 * usual curve. So is a name that no curve has, which the parser of the JSON refuses.
 */
export function curveOfJson(json: unknown): CurveId {
  const name = typeof json === 'object' && json !== null ? (json as Record<string, unknown>).curve : undefined;
  const plain = plainName(name);
  const named = PAIRING_CURVES.find(({ snarkjs }) =>
    [snarkjs?.name, ...(snarkjs?.aliases ?? [])].some((known) => plainName(known) === plain),
  );
  return (plain === undefined ? undefined : named?.id) ?? USUAL_CURVE;
}

/** A curve's name in lower case without punctuation. */
function plainName(name: unknown): string | undefined {
  return typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : undefined;
}
