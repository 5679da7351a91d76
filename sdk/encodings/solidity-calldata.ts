import type { Groth16ProofJson } from '../api/index.js';
import { bn254, SCALAR_BYTES } from '../curves/index.js';
import { bigEndian } from './big-endian.js';
import { ethereumWords, hexWord } from './ethereum.js';
import { expectCurve, proofPoints, publicSignalValues } from './points.js';

/**
 * The arguments of `verifyProof` in the Solidity verifier that snarkjs makes, as the text that snarkjs' `exportSolidityCallData` gives:
 * `["0x..", "0x.."],[["0x..", "0x.."],["0x..", "0x.."]],["0x..", "0x.."],["0x..",...]`. `JSON.parse(`[${text}]`)` makes arrays of it, as ethers
 * and viem take them.
 *
 * `CURVE_MISMATCH` for another curve than BN254, `MALFORMED_FILE`, `INVALID_POINT` and `INVALID_SCALAR` for what is not a proof with its signals.
 * Infinity, which no honest proof has, is (0, 0), as the precompiles of EIP-196 and EIP-197 write it.
 */
export function solidityCalldata(proof: Groth16ProofJson, publicSignals: readonly string[]): string {
  const { curve } = proofPoints(proof);
  expectCurve(curve, "snarkjs' Solidity verifier", [bn254.id]);
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = ethereumWords(proof).map((word) => `"${word}"`);
  const signals = publicSignalValues(publicSignals, curve.id).map(
    (signal) => `"${hexWord(bigEndian(signal, SCALAR_BYTES))}"`,
  );
  return `[${ax}, ${ay}],[[${bx1}, ${bx0}],[${by1}, ${by0}]],[${cx}, ${cy}],[${signals.join(',')}]`;
}
