import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { wipe } from '../../base/free-memory.js';
import { type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import type { KeyPoints } from '../../files/snarkjs/zkey.js';
import type { Blinding } from './blinding.js';

/** Computes sum k_i P_i of a few affine points of a group; every k_i is 1 if `scalars` is left out. */
export type Combine = (args: {
  readonly group: GroupId;
  readonly points: Uint8Array;
  readonly scalars?: Uint8Array;
}) => Promise<Uint8Array>;

/** The scalar 1. */
const ONE = bigintToBytes(1n, SCALAR_BYTES);

// The three points of a proof from the sums over the key's vectors (Groth, "On the Size of Pairing-based Non-interactive
// Arguments", 2016/260, section 3.2). All points are affine in the boundary form.

/** A = alpha + sum + r delta. */
export function assembleA(combine: Combine, key: KeyPoints, sum: Uint8Array, { r }: Blinding): Promise<Uint8Array> {
  return linear(combine, 'g1', [key.alpha1, ONE], [sum, ONE], [key.delta1, r]);
}

/** B = beta + sum + s delta, in G2. */
export function assembleB(combine: Combine, key: KeyPoints, sum: Uint8Array, { s }: Blinding): Promise<Uint8Array> {
  return linear(combine, 'g2', [key.beta2, ONE], [sum, ONE], [key.delta2, s]);
}

/** What C has beside its two sums: s A + r B1 - r s delta, with B1 = beta + (sum over B1) + s delta in G1. */
export function blindC(
  combine: Combine,
  key: KeyPoints,
  a: Uint8Array,
  sumB1: Uint8Array,
  { r, s }: Blinding,
): Promise<Uint8Array> {
  // r B1 - r s delta = r beta + r (sum over B1): the multiples of delta cancel.
  return linear(combine, 'g1', [a, s], [key.beta1, r], [sumB1, r]);
}

/** C = (sum over C) + (sum over H) + what `blindC` gives. */
export function assembleC(
  combine: Combine,
  sums: { readonly C: Uint8Array; readonly H: Uint8Array },
  blind: Uint8Array,
): Promise<Uint8Array> {
  return combine({ group: 'g1', points: joinBytes([sums.C, sums.H, blind]) });
}

async function linear(
  combine: Combine,
  group: GroupId,
  ...terms: readonly (readonly [point: Uint8Array, scalar: Uint8Array])[]
): Promise<Uint8Array> {
  const points = joinBytes(terms.map(([point]) => point));
  const scalars = joinBytes(terms.map(([, scalar]) => scalar));
  try {
    return await combine({ group, points, scalars });
  } finally {
    wipe(scalars);
  }
}
