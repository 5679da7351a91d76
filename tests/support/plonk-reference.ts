import { bytesToBigint } from '../../sdk/base/bytes.js';
import { type Curve, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/curves/modular.js';
import type { ByteSource } from '../../sdk/files/byte-source.js';
import type { PlonkKeyFacts, Wiring } from '../../sdk/files/snarkjs/plonk-arithmetization.js';
import { ADDITION_BYTES } from '../../sdk/polynomials/polynomials.js';

/** The scalars of a .zkey, in Montgomery form with R = 2^256, as integers. */
export function scalarsOf({ fr }: Curve, bytes: Uint8Array): bigint[] {
  const inverseR = inverse(1n << 256n, fr.modulus);
  return Array.from(
    { length: bytes.length / SCALAR_BYTES },
    (_, i) => (bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES) * inverseR) % fr.modulus,
  );
}

/** The value of a polynomial with these coefficients, the constant one first. */
export function valueAt(coefficients: readonly bigint[], x: bigint, modulus: bigint): bigint {
  return coefficients.reduceRight((value, coefficient) => (value * x + coefficient) % modulus, 0n);
}

/** The values on the wires a, b and c of each gate of a PLONK or FFLONK key, for a witness. */
export async function wiresOf(
  curve: Curve,
  { facts, additions, maps }: Wiring & { readonly facts: PlonkKeyFacts },
  witness: readonly bigint[],
): Promise<[a: bigint[], b: bigint[], c: bigint[]]> {
  const all = (source: ByteSource) => source.read(0, source.size);
  const rows = await all(additions);
  const view = new DataView(rows.buffer);
  // The constant one is signal 0, but in these keys signal 0 stands for an unused wire, which is 0.
  const signals = [0n, ...witness.slice(1, facts.variables)];
  for (let at = 0; at < rows.length; at += ADDITION_BYTES) {
    const [one, two] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const [factorOne, factorTwo] = scalarsOf(curve, rows.subarray(at + 8, at + ADDITION_BYTES)) as [bigint, bigint];
    signals.push((factorOne * signals[one]! + factorTwo * signals[two]!) % curve.fr.modulus);
  }
  const wires = maps.map(async (map) =>
    [...new Uint32Array((await all(map)).buffer)].map((signal) => signals[signal]!),
  );
  return (await Promise.all(wires)) as [bigint[], bigint[], bigint[]];
}
