import { wipe } from '../../base/free-memory.js';
import type { Curve } from '../../curves/index.js';
import type { PairingArithmetic } from '../../proofs/pairings.js';
import { ChaCha } from '../chacha.js';
import { newBlake2b } from '../contributions.js';
import { drawPoint, drawScalar } from '../draws.js';
import { SecretScalars } from '../secret-scalars.js';
import { type PublicKey, type SecretName, uncompressed } from './powers-history.js';

const SECRETS: readonly SecretName[] = ['tau', 'alpha', 'beta'];

/** The secrets of a contribution, canonical, and the points that prove that they are known. */
export interface PowersKey {
  readonly secrets: Readonly<Record<SecretName, Uint8Array>>;
  readonly publicKey: PublicKey;
}

/**
 * The secrets and the public key that a seed determines, as snarkjs draws them: the secrets, and then a point s of G1
 * for each. The caller overwrites the secrets.
 */
export async function drawPowersKey(
  seed: Uint8Array,
  challenge: Uint8Array,
  curve: Curve,
  arithmetic: PairingArithmetic,
): Promise<PowersKey> {
  const stream = new ChaCha(seed);
  const scalars = new SecretScalars(curve.id);
  const secrets: Uint8Array[] = [];
  try {
    for (const _ of SECRETS) {
      const drawn = drawScalar(stream, curve);
      const { value, inverse } = scalars.fromMontgomery(drawn);
      secrets.push(value);
      wipe(drawn, inverse);
    }
    const points: Record<string, Uint8Array> = {};
    for (const [i, name] of SECRETS.entries()) {
      const s = await drawPoint(stream, curve, 'g1', arithmetic);
      const sx = await arithmetic.combine({ group: 'g1', points: s, scalars: secrets[i]! });
      const sp = await pointOfChallenge(challenge, name, { s, sx }, curve, arithmetic);
      points[`${name}S`] = s;
      points[`${name}Sx`] = sx;
      points[`${name}Spx`] = await arithmetic.combine({ group: 'g2', points: sp, scalars: secrets[i]! });
    }
    const [tau, alpha, beta] = secrets as [Uint8Array, Uint8Array, Uint8Array];
    return { secrets: { tau, alpha, beta }, publicKey: points as unknown as PublicKey };
  } catch (error) {
    wipe(...secrets);
    throw error;
  } finally {
    stream.wipe();
    scalars.wipe();
  }
}

/** The point of G2 that the challenge and s and x s of a secret determine. */
export function pointOfChallenge(
  challenge: Uint8Array,
  name: SecretName,
  { s, sx }: { readonly s: Uint8Array; readonly sx: Uint8Array },
  curve: Curve,
  arithmetic: PairingArithmetic,
): Promise<Uint8Array> {
  const hash = newBlake2b().update(Uint8Array.of(SECRETS.indexOf(name)));
  const seed = hash
    .update(challenge)
    .update(uncompressed([s, sx]))
    .digest();
  return drawPoint(new ChaCha(seed), curve, 'g2', arithmetic);
}
