import type { FflonkProofJson, Groth16ProofJson, PlonkProofJson } from '../api/index.js';
import { joinBytes } from '../base/bytes.js';
import { bls12381, bn254, CURVES, type Curve } from '../curves/index.js';
import { curveNamedIn, type G1Value, type G2Value } from '../files/snarkjs/json-values.js';
import { protocolNamedIn } from '../files/snarkjs/named-protocol.js';
import type { Protocol } from '../proofs/parts.js';
import { bigEndian, expectCurve, proofPoints, publicSignalValues } from './points.js';
import { universalCalldata, universalNumbers } from './universal-words.js';

/** Bytes of a word of the EVM. */
const WORD_BYTES = 32;

/** A proof in snarkjs' JSON form, of any of its proof systems; one without a `protocol` is of Groth16. */
export type EthereumProof = Groth16ProofJson | PlonkProofJson | FflonkProofJson;

/**
 * The arguments of `verifyProof` in the Solidity verifier that snarkjs makes: words in hexadecimal after 0x, in arrays
 * of the lengths that the function takes.
 */
export type SolidityArguments<Proof extends EthereumProof> = Proof extends Groth16ProofJson
  ? [a: [string, string], b: [[string, string], [string, string]], c: [string, string], publicSignals: string[]]
  : [proof: string[], publicSignals: string[]];

/**
 * A proof as Ethereum's contracts take it: words of 32 bytes, in hexadecimal after 0x, which ethers and viem take as
 * uint256.
 *
 * - Groth16 over BN254: the 8 words A.x, A.y, B.x.c1, B.x.c0, B.y.c1, B.y.c0, C.x, C.y (EIP-196, EIP-197: the
 *   coefficient of u comes first), the `uint256[8]` of many verifiers. The verifier that snarkjs makes takes the same
 *   words as `uint[2]`, `uint[2][2]`, `uint[2]`.
 * - Groth16 over BLS12-381: 16 words for the precompiles of EIP-2537, where a coordinate takes two words and c0 comes
 *   first.
 * - PLONK over BN254: the `uint256[24]` of snarkjs' verifier, A, B, C, Z, T1, T2, T3, Wxi, Wxiw (x and y each), then
 *   the evaluations a, b, c, s1, s2, zw.
 * - FFLONK over BN254: the `bytes32[24]` of snarkjs' verifier, C1, C2, W1, W2, then the evaluations and `inv` in the
 *   order of `FflonkProof`.
 *
 * Infinity is all zero.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @returns 8 words for Groth16 on BN254, 16 on BLS12-381, 24 for PLONK and FFLONK.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and, with Groth16, BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for an evaluation that is not from 0 to r - 1.
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
export function ethereumWords(proof: EthereumProof): string[] {
  return wordsOf(readProof(proof).bytes);
}

/**
 * The ABI encoding of a proof's words (see `ethereumWords`) and then of its public signals, a word each. All are of
 * static types, so these bytes after a function's selector are the calldata of
 * `verifyProof(uint[2],uint[2][2],uint[2],uint[n])` of snarkjs' verifier, and of a function that takes `(uint256[8],
 * uint256[n])`; with PLONK of `verifyProof(uint256[24],uint256[n])`, with FFLONK of
 * `verifyProof(bytes32[24],uint256[n])`, whose n is at least 1: without public signals it takes a 0.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns 32 bytes for each word.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and, with Groth16, BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal or an evaluation that is not from 0 to r - 1.
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
export function ethereumAbi(proof: EthereumProof, publicSignals: readonly string[]): Uint8Array {
  const read = readProof(proof);
  return joinBytes([read.bytes, ...argumentSignals(read, publicSignals)]);
}

/** A word in hexadecimal. */
export function hexWord(word: Uint8Array): string {
  return `0x${Array.from(word, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A proof's words as bytes, its proof system and its curve. */
interface ReadProof {
  readonly protocol: Protocol;
  readonly curve: Curve;
  readonly bytes: Uint8Array;
}

function readProof(proof: unknown): ReadProof {
  const protocol = protocolNamedIn(proof, 'a proof');
  if (protocol === 'groth16') {
    const { a, b, c, curve } = proofPoints(proof);
    return { protocol, curve, bytes: joinBytes([evmPoint(curve, a), evmTwistPoint(curve, b), evmPoint(curve, c)]) };
  }
  const curve = CURVES[curveNamedIn(proof, protocol, 'a proof')];
  const numbers = universalNumbers(protocol, proof, curve);
  return { protocol, curve, bytes: joinBytes(numbers.map((value) => bigEndian(value, WORD_BYTES))) };
}

function wordsOf(bytes: Uint8Array): string[] {
  return Array.from({ length: bytes.length / WORD_BYTES }, (_, i) =>
    hexWord(bytes.subarray(i * WORD_BYTES, (i + 1) * WORD_BYTES)),
  );
}

function signalWords({ curve }: ReadProof, publicSignals: readonly string[]): Uint8Array[] {
  return publicSignalValues(publicSignals, curve.id).map((signal) => bigEndian(signal, WORD_BYTES));
}

/** The public signals as a verifier takes them. An array of FFLONK's verifier has at least one element. */
function argumentSignals(read: ReadProof, publicSignals: readonly string[]): Uint8Array[] {
  const signals = signalWords(read, publicSignals);
  return read.protocol === 'fflonk' && signals.length === 0 ? [new Uint8Array(WORD_BYTES)] : signals;
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
 * `exportSolidityCallData` gives.
 *
 * - Groth16: `["0x..", "0x.."],[["0x..", "0x.."],["0x..", "0x.."]],["0x..", "0x.."],["0x..",...]`.
 * - PLONK: `["0x..", "0x..",...]["0x..",...]`, without a comma between the two arrays.
 * - FFLONK: `[0x.., 0x..,...],[0x..,...]`, without quotation marks.
 *
 * `solidityArguments` gives the same as arrays. Infinity, which no honest proof has, is (0, 0), as the precompiles of
 * EIP-196 and EIP-197 write it.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns the text.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal or an evaluation that is not from 0 to r - 1.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { solidityCalldata } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * console.log(solidityCalldata(proof, publicSignals));
 * ```
 */
export function solidityCalldata(proof: EthereumProof, publicSignals: readonly string[]): string {
  const read = readForSolidity(proof);
  const words = wordsOf(read.bytes);
  const signals = signalWords(read, publicSignals).map(hexWord);
  if (read.protocol !== 'groth16') return universalCalldata(read.protocol, words, signals);
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = words.map((word) => `"${word}"`);
  const quoted = signals.map((word) => `"${word}"`);
  return `[${ax}, ${ay}],[[${bx1}, ${bx0}],[${by1}, ${by0}]],[${cx}, ${cy}],[${quoted.join(',')}]`;
}

/**
 * The arguments of `verifyProof` in the Solidity verifier that snarkjs makes, as ethers and viem take them: a, b, c and
 * the public signals for Groth16, 24 words and the public signals for PLONK and FFLONK. FFLONK's verifier takes at
 * least one public signal: without any it gets a 0.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns words in hexadecimal after 0x, in arrays.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} UNSUPPORTED_FORMAT for another proof system.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal or an evaluation that is not from 0 to r - 1.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { solidityArguments } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const args = solidityArguments(proof, publicSignals);
 * // With viem: await client.readContract({ address, abi, functionName: 'verifyProof', args }).
 * console.log(args);
 * ```
 */
export function solidityArguments<Proof extends EthereumProof>(
  proof: Proof,
  publicSignals: readonly string[],
): SolidityArguments<Proof> {
  const read = readForSolidity(proof);
  const words = wordsOf(read.bytes);
  const signals = argumentSignals(read, publicSignals).map(hexWord);
  if (read.protocol !== 'groth16') return [words, signals] as SolidityArguments<Proof>;
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = words;
  const b = [
    [bx1, bx0],
    [by1, by0],
  ];
  return [[ax, ay], b, [cx, cy], signals] as SolidityArguments<Proof>;
}

function readForSolidity(proof: unknown): ReadProof {
  const read = readProof(proof);
  expectCurve(read.curve, "snarkjs' Solidity verifier", [bn254.id]);
  return read;
}
