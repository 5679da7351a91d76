import type { Groth16ProofJson } from '../api/index.js';
import { joinBytes } from '../base/bytes.js';
import { bls12381, bn254, type Curve, SCALAR_BYTES } from '../curves/index.js';
import type { G1Value, G2Value } from '../files/snarkjs/parse-proof.js';
import { bigEndian, expectCurve, proofPoints, publicSignalValues } from './points.js';

/** Bytes of a word of the EVM. */
const WORD_BYTES = 32;

/**
 * A proof as Ethereum's contracts take it: words of 32 bytes, in hexadecimal after 0x, which ethers and viem take as
 * uint256.
 *
 * - BN254: the 8 words A.x, A.y, B.x.c1, B.x.c0, B.y.c1, B.y.c0, C.x, C.y (EIP-196, EIP-197: the coefficient of u comes
 *   first), the `uint256[8]` of many verifiers. The verifier that snarkjs makes takes the same words as `uint[2]`,
 *   `uint[2][2]`, `uint[2]`.
 * - BLS12-381: 16 words for the precompiles of EIP-2537, where a coordinate takes two words and c0 comes first.
 *
 * Infinity is all zero.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @returns 8 words on BN254, 16 on BLS12-381.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { ethereumWords } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof } = JSON.parse(await readFile('proved.json', 'utf8'));
 * console.log(ethereumWords(proof));
 * ```
 */
export function ethereumWords(proof: Groth16ProofJson): string[] {
  const bytes = ethereumProofBytes(proof);
  return Array.from({ length: bytes.length / WORD_BYTES }, (_, i) =>
    hexWord(bytes.subarray(i * WORD_BYTES, (i + 1) * WORD_BYTES)),
  );
}

/**
 * The ABI encoding of a proof's words (see `ethereumWords`) and then of its public signals, a word each. All are of
 * static types, so these bytes after a function's selector are the calldata of
 * `verifyProof(uint[2],uint[2][2],uint[2],uint[n])` of snarkjs' verifier, and of a function that takes `(uint256[8],
 * uint256[n])`.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns 32 bytes for each word.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { ethereumAbi } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * console.log(Buffer.from(ethereumAbi(proof, publicSignals)).toString('hex'));
 * ```
 */
export function ethereumAbi(proof: Groth16ProofJson, publicSignals: readonly string[]): Uint8Array {
  const { curve } = proofPoints(proof);
  const signals = publicSignalValues(publicSignals, curve.id).map((signal) => bigEndian(signal, WORD_BYTES));
  return joinBytes([ethereumProofBytes(proof), ...signals]);
}

/** A word in hexadecimal. */
export function hexWord(word: Uint8Array): string {
  return `0x${Array.from(word, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function ethereumProofBytes(proof: unknown): Uint8Array {
  const { a, b, c, curve } = proofPoints(proof);
  return joinBytes([evmPoint(curve, a), evmTwistPoint(curve, b), evmPoint(curve, c)]);
}

/** A point of G1 as precompiles take it; infinity is all zero. */
export function evmPoint(curve: Curve, point: G1Value): Uint8Array {
  const { x, y } = point ?? { x: 0n, y: 0n };
  return joinBytes([x, y].map((value) => bigEndian(value, coordinateBytes(curve))));
}

/** A point of G2 as precompiles take it: EIP-197 has the coefficient of u first, EIP-2537 last. */
export function evmTwistPoint(curve: Curve, point: G2Value): Uint8Array {
  const { x, y } = point ?? { x: [0n, 0n], y: [0n, 0n] };
  const isOfEip2537 = curve.id === bls12381.id;
  const ordered = [x, y].flatMap(([c0, c1]) => (isOfEip2537 ? [c0, c1] : [c1, c0]));
  return joinBytes(ordered.map((value) => bigEndian(value, coordinateBytes(curve))));
}

/** A coordinate takes whole words. */
function coordinateBytes(curve: Curve): number {
  return Math.ceil(curve.coordinateBytes / WORD_BYTES) * WORD_BYTES;
}

/**
 * The arguments of `verifyProof` in the Solidity verifier that snarkjs makes, as the text that snarkjs'
 * `exportSolidityCallData` gives: `["0x..", "0x.."],[["0x..", "0x.."],["0x..", "0x.."]],["0x..", "0x.."],["0x..",...]`.
 * Parsed as JSON between brackets it is the arrays that ethers and viem take. Infinity, which no honest proof has, is
 * (0, 0), as the precompiles of EIP-196 and EIP-197 write it.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns the text.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { solidityCalldata } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const [a, b, c, signals] = JSON.parse(`[${solidityCalldata(proof, publicSignals)}]`);
 * console.log(a, b, c, signals);
 * ```
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
