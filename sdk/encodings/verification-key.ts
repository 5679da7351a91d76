import type { Groth16VerificationKey } from '../api.js';
import type { ByteSource } from '../io/byte-source.js';
import { pairingValue } from '../snarkjs/pairing-value.js';
import { verificationKeyToJson } from '../snarkjs/proof-json.js';
import { readZkey } from '../snarkjs/zkey.js';

/** See `exportVerificationKey` of the entries. */
export async function verificationKeyOf(source: ByteSource): Promise<Groth16VerificationKey> {
  const { curve, points } = await readZkey(source);
  return verificationKeyToJson(curve, points, pairingValue(curve, points.alpha1, points.beta2));
}
