import type { Groth16VerificationKey } from '../api/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { pairingValue } from '../files/snarkjs/pairing-value.js';
import { verificationKeyToJson } from '../files/snarkjs/proof-json.js';
import { readZkey } from '../files/snarkjs/zkey.js';

/** See `exportVerificationKey` of the entries. */
export async function verificationKeyOf(source: ByteSource): Promise<Groth16VerificationKey> {
  const { curve, points } = await readZkey(source);
  return verificationKeyToJson(curve, points, pairingValue(curve, points.alpha1, points.beta2));
}
