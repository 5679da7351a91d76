import type { VerificationKey } from '../../api/index.js';
import { verificationKeyOf } from '../../encodings/file-functions.js';
import type { InputFile, Logger, SnarkjsKeyJson } from './api.js';
import type { AliasCeremony } from './ceremony.js';
import type { AliasContext } from './context.js';
import type { AliasGroth16 } from './groth16.js';
import { keyJson } from './key-json.js';

/** The namespace `zKey`: what is read from a key, and phase 2 of a set-up. */
export function zKeyCalls(context: AliasContext, groth16: AliasGroth16, ceremony: AliasCeremony) {
  return {
    /**
     * The verification key of a proving key, as `zKey.exportVerificationKey` of snarkjs.
     *
     * @param zkey the proving key.
     * @param logger logs its beginning and end.
     * @returns the key in snarkjs' JSON form.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without proofs in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not on its curve.
     * @example
     * ```js run
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * const verificationKey = await zKey.exportVerificationKey('note.zkey');
     * console.log(verificationKey.curve, verificationKey.nPublic);
     * ```
     */
    exportVerificationKey: context.withGlobals(async (zkey: InputFile, logger?: Logger): Promise<VerificationKey> => {
      logger?.info?.('EXPORT VERIFICATION KEY STARTED');
      const key = await context.read(zkey, 'a .zkey', verificationKeyOf);
      logger?.info?.(`> Detected protocol: ${key.protocol}`);
      logger?.info?.('EXPORT VERIFICATION KEY FINISHED');
      return key;
    }),
    /**
     * All that a proving key holds but the history of its set-up, as `zKey.exportJson` of snarkjs. The object takes
     * several times the bytes of the file.
     *
     * @param zkey the proving key.
     * @returns sizes, points and coefficients, with numbers as decimal strings.
     * @throws {PippinError} IO_FAILED when the file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point of the verification key
     * that is not on its curve.
     * @example
     * ```js run
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * const { nVars, domainSize, A } = await zKey.exportJson('note.zkey');
     * console.log(nVars, domainSize, A.length);
     * ```
     */
    exportJson: context.withGlobals(
      async (zkey: InputFile): Promise<SnarkjsKeyJson> => context.read(zkey, 'a .zkey', keyJson),
    ),
    /**
     * The source of a Solidity contract that verifies the proofs of a key over BN254: `Groth16Verifier` with
     * `verifyProof(uint[2], uint[2][2], uint[2], uint[n])`, which takes what `groth16.exportSolidityCallData` gives.
     * The contract is Pippin's, for Solidity 0.7 and 0.8, under MIT OR Apache-2.0. Without public signals
     * `verifyProof` has three parameters.
     *
     * @param zkey the proving key.
     * @param logger logs its beginning and end, and warns of a key for which anyone can forge proofs.
     * @returns the source of the contract.
     * @throws {PippinError} IO_FAILED when the file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
     * @throws {PippinError} INVALID_POINT for a point that is not on its curve.
     * @throws {PippinError} KEY_UNFINISHED for a key without a contribution, if `allowUnfinished` is false.
     * @example
     * ```js run
     * import { writeFile } from 'node:fs/promises';
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await writeFile('Verifier.sol', await zKey.exportSolidityVerifier('note.zkey'));
     * console.log('the contract is in Verifier.sol');
     * ```
     */
    exportSolidityVerifier: context.withGlobals(groth16.exportSolidityVerifier),
    /**
     * Contributes to a Groth16 key, as `zKey.contribute` of snarkjs; see `contribute` of `pippin-prover/ceremony`.
     * The platform's random bytes are always used, and nobody is asked for entropy.
     *
     * @param zkey the key with the contributions until now.
     * @param made where the new key is written: a path, or an object `{ type: 'mem' }`, whose `data` it becomes.
     * @param name the name of the contribution.
     * @param entropy what the contributor adds.
     * @param logger logs the hashes.
     * @returns the hash of the contribution.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await zKey.contribute('note_0003.zkey', 'note_0004.zkey', 'Ada', 'some text', console);
     * ```
     */
    contribute: context.withGlobals(ceremony.contribute),
    /**
     * Ends the ceremony of a Groth16 key, as `zKey.beacon` of snarkjs, byte for byte.
     *
     * @param zkey the key with the contributions until now.
     * @param made where the new key is written: a path, or an object `{ type: 'mem' }`, whose `data` it becomes.
     * @param name the name of the contribution.
     * @param hash the public value, as hexadecimal digits or bytes.
     * @param iterations SHA-256 is applied 2^iterations times; 10 to 63.
     * @param logger logs the hash.
     * @returns the hash of the contribution.
     * @throws {PippinError} INVALID_ARGUMENT for a hash or iterations out of range, where snarkjs returns false.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await zKey.beacon('note_0004.zkey', 'note.zkey', 'Final', '0102030405060708', 10, console);
     * ```
     */
    beacon: context.withGlobals(ceremony.beacon),
    /**
     * Verifies a Groth16 key from its first key, as `zKey.verifyFromInit` of snarkjs; points outside of the group of
     * prime order are refused besides.
     *
     * @param first the key as the set-up wrote it.
     * @param ptau the prepared powers of tau that it was made from.
     * @param zkey the key.
     * @param logger logs what is wrong, or the hashes of the contributions.
     * @returns whether the key is valid.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * console.log(await zKey.verifyFromInit('note_0000.zkey', 'pot14.ptau', 'note.zkey', console));
     * ```
     */
    verifyFromInit: context.withGlobals(ceremony.verifyFromInit),
    /**
     * Verifies a Groth16 key from its circuit, as `zKey.verifyFromR1cs` of snarkjs: the set-up is repeated.
     *
     * @param r1cs the circuit.
     * @param ptau the prepared powers of tau that the first key was made from.
     * @param zkey the key.
     * @param logger logs what is wrong, or the hashes of the contributions.
     * @returns whether the key is valid.
     * @throws {PippinError} INVALID_ARGUMENT for too few powers of tau.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version, or a circuit with
     * custom gates.
     * @throws {PippinError} CURVE_MISMATCH for files of different curves, or of one without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * console.log(await zKey.verifyFromR1cs('note.r1cs', 'pot14.ptau', 'note.zkey', console));
     * ```
     */
    verifyFromR1cs: context.withGlobals(ceremony.verifyFromR1cs),
    /**
     * Makes the first key of a circuit, as `zKey.newZKey` of snarkjs, byte for byte. What snarkjs logs and answers
     * with -1 is an error here.
     *
     * @param r1cs the circuit.
     * @param ptau powers of tau that were prepared for phase 2.
     * @param made where the key is written: a path in Node, or `{ type: 'mem' }`.
     * @param logger logs the hash of the circuit.
     * @returns the hash of the circuit, 64 bytes.
     * @throws {PippinError} INVALID_ARGUMENT for too few powers of tau, or where no file can be written.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for powers that were not prepared, or a circuit with custom gates.
     * @throws {PippinError} CURVE_MISMATCH for files of different curves, or of one without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await zKey.newZKey('note.r1cs', 'pot14.ptau', 'note_0000.zkey', console);
     * ```
     */
    newZKey: context.withGlobals(ceremony.newZKey),
    /**
     * Writes a Groth16 key as the parameters of bellman's ceremonies, as `zKey.exportBellman` of snarkjs, byte for
     * byte.
     *
     * @param zkey the key.
     * @param made where the parameters go.
     * @returns nothing.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await zKey.exportBellman('note_0003.zkey', 'note.params');
     * ```
     */
    exportBellman: context.withGlobals(ceremony.exportBellman),
    /**
     * Contributes to the parameters of bellman's ceremonies, as `zKey.bellmanContribute` of snarkjs.
     *
     * @param curve the curve, of `curves.getCurveFromName`.
     * @param params the parameters until now.
     * @param made where the new parameters go.
     * @param entropy what the contributor adds to the platform's random bytes.
     * @param logger logs the hash.
     * @returns the hash of the contribution.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { curves, zKey } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromName('bn128');
     * await zKey.bellmanContribute(curve, 'note.params', 'note_ada.params', 'some text', console);
     * ```
     */
    bellmanContribute: context.withGlobals(ceremony.bellmanContribute),
    /**
     * Adds the contributions of parameters to the key that they were exported from, as `zKey.importBellman` of
     * snarkjs, byte for byte. What snarkjs logs and answers with false is an error here.
     *
     * @param zkey the key.
     * @param params the parameters.
     * @param made where the new key goes.
     * @param name the name of the new contributions.
     * @returns true.
     * @throws {PippinError} INVALID_ARGUMENT for parameters of another key.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for a key of another proof system.
     * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is not in the group of prime order.
     * @example
     * ```js
     * import { zKey } from 'pippin-prover/snarkjs';
     *
     * await zKey.importBellman('note_0003.zkey', 'note_ada.params', 'note_0004.zkey', 'Ada');
     * ```
     */
    importBellman: context.withGlobals(ceremony.importBellman),
  };
}
