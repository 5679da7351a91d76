import type { AliasContext } from './context.js';
import { AliasPowers } from './powers.js';

/** The namespace `powersOfTau`. */
export function powersOfTauCalls(context: AliasContext) {
  const powers = new AliasPowers(context);
  return {
    /**
     * Begins powers of tau, as `powersOfTau.newAccumulator` of snarkjs, byte for byte.
     *
     * @param curve the curve, of `curves.getCurveFromName`.
     * @param power the logarithm of the number of constraints that they serve.
     * @param made where the new file goes.
     * @param logger logs the first challenge.
     * @returns the first challenge.
     * @throws {PippinError} IO_FAILED when the file cannot be written.
     * @throws {PippinError} INVALID_ARGUMENT for a power out of range.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * import { curves } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromName('bn128');
     * await powersOfTau.newAccumulator(curve, 14, 'pot14_0000.ptau', console);
     * ```
     */
    newAccumulator: context.withGlobals(powers.newAccumulator),
    /**
     * Contributes to powers of tau, as `powersOfTau.contribute` of snarkjs; see `contributeToPowersOfTau` of
     * `pippin-prover/ceremony`.
     *
     * @param ptau the powers with the contributions until now.
     * @param made where the new file goes.
     * @param name the name of the contribution.
     * @param entropy what the contributor adds to the platform's random bytes.
     * @param logger logs the hashes.
     * @returns the hash of the contribution.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.contribute('pot14_0000.ptau', 'pot14_0001.ptau', 'Ada', 'some text', console);
     * ```
     */
    contribute: context.withGlobals(powers.contributeToPowers),
    /**
     * Adds a public contribution, as `powersOfTau.beacon` of snarkjs, byte for byte.
     *
     * @param ptau the powers with the contributions until now.
     * @param made where the new file goes.
     * @param name the name of the contribution.
     * @param hash the public value, in hexadecimal digits.
     * @param iterations SHA-256 is applied to it 2^iterations times.
     * @param logger logs the hashes.
     * @returns the hash of the contribution.
     * @throws {PippinError} INVALID_ARGUMENT for a hash or iterations out of range.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.beacon('pot14_0001.ptau', 'pot14_beacon.ptau', 'Final', '0102030405060708', 10, console);
     * ```
     */
    beacon: context.withGlobals(powers.beaconOfPowers),
    /**
     * Verifies powers of tau, as `powersOfTau.verify` of snarkjs; points outside of the group of prime order are
     * refused besides.
     *
     * @param ptau the powers.
     * @param logger logs what is wrong, or the hashes of the contributions.
     * @returns whether they are valid.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * console.log(await powersOfTau.verify('pot14_final.ptau', console));
     * ```
     */
    verify: context.withGlobals(powers.verifyPowers),
    /**
     * Prepares powers of tau for phase 2, as `powersOfTau.preparePhase2` of snarkjs, byte for byte.
     *
     * @param ptau the powers after the last contribution.
     * @param made where the new file goes.
     * @returns nothing.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.preparePhase2('pot14_beacon.ptau', 'pot14_final.ptau', console);
     * ```
     */
    preparePhase2: context.withGlobals(powers.preparePhase2),
    /**
     * Converts powers of tau that an old snarkjs prepared, as `powersOfTau.convert` of snarkjs, byte for byte.
     *
     * @param ptau the powers as an old snarkjs prepared them.
     * @param made where the new file goes.
     * @returns nothing.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or that is not prepared in the old way.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.convert('pot14_old.ptau', 'pot14_final.ptau', console);
     * ```
     */
    convert: context.withGlobals(powers.convert),
    /**
     * All of prepared powers of tau, as `powersOfTau.exportJson` of snarkjs: each point is one number.
     *
     * @param ptau the prepared powers.
     * @returns the object, for JSON.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that is not prepared.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point of the history that is infinite or not on its curve.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * const { power, tauG1 } = await powersOfTau.exportJson('pot10_final.ptau');
     * console.log(power, tauG1.length);
     * ```
     */
    exportJson: context.withGlobals(powers.exportPowersJson),
    /**
     * Makes prepared powers of tau of all smaller powers, as `powersOfTau.truncate` of snarkjs, byte for byte.
     *
     * @param ptau the prepared powers.
     * @param template what the paths of the new files begin with; two digits and .ptau follow.
     * @returns true.
     * @throws {PippinError} INVALID_ARGUMENT for powers of 2^1, and where there are no paths.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that is not prepared.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point of the history that is infinite or not on its curve.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.truncate('pot14_final.ptau', 'pot14_final_');
     * ```
     */
    truncate: context.withGlobals(powers.truncate),
    /**
     * Writes the challenge of the next contribution, as `powersOfTau.exportChallenge` of snarkjs, byte for byte.
     *
     * @param ptau the powers with the contributions until now.
     * @param made where the challenge goes.
     * @param logger logs its hash.
     * @returns the hash of the challenge.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.exportChallenge('pot14_0001.ptau', 'challenge', console);
     * ```
     */
    exportChallenge: context.withGlobals(powers.exportChallenge),
    /**
     * Contributes to a challenge, as `powersOfTau.challengeContribute` of snarkjs.
     *
     * @param curve the curve, of `curves.getCurveFromName`.
     * @param challenge the challenge.
     * @param made where the response goes.
     * @param entropy what the contributor adds to the platform's random bytes.
     * @param logger logs the hashes.
     * @returns nothing.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { curves, powersOfTau } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromName('bn128');
     * await powersOfTau.challengeContribute(curve, 'challenge', 'response', 'some text', console);
     * ```
     */
    challengeContribute: context.withGlobals(powers.challengeContribute),
    /**
     * Adds the contribution of a response, as `powersOfTau.importResponse` of snarkjs, byte for byte.
     *
     * @param ptau the powers that the challenge was exported from.
     * @param response the response.
     * @param made where the new file goes.
     * @param name the name of the contribution.
     * @param importPoints whether the new file has the points, or the history alone.
     * @param logger logs the hashes.
     * @returns the next challenge.
     * @throws {PippinError} INVALID_ARGUMENT for a response to another challenge.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for one of another version, or one that was truncated.
     * @throws {PippinError} CURVE_MISMATCH for a curve without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { powersOfTau } from 'pippin-prover/snarkjs';
     *
     * await powersOfTau.importResponse('pot14_0001.ptau', 'response', 'pot14_0002.ptau', 'Ada', true, console);
     * ```
     */
    importResponse: context.withGlobals(powers.importResponse),
  };
}
