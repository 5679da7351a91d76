import type { FflonkKey, PlonkKey } from '../../api/index.js';
import { universalCalldata } from '../../encodings/universal-words.js';
import { FFLONK_COMMITMENTS, FFLONK_EVALUATIONS } from '../../files/snarkjs/fflonk-json.js';
import { PLONK_COMMITMENTS, PLONK_EVALUATIONS } from '../../files/snarkjs/plonk-json.js';
import type { SnarkjsFflonkProof, SnarkjsPlonkProof } from './api.js';
import type { AliasCeremony } from './ceremony.js';
import { type AliasContext, missingCalls } from './context.js';
import { AliasProofSystem, calldataWord } from './proof-system.js';

/** The namespace `plonk`. */
export function plonkCalls(context: AliasContext, ceremony: AliasCeremony) {
  const plonk = new AliasPlonk(context);
  return {
    /**
     * Makes a proof from a witness, as `plonk.prove` of snarkjs.
     *
     * @param zkey the proving key.
     * @param witness the `.wtns` file.
     * @param logger logs each phase.
     * @returns the proof and the public signals.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without PLONK in Pippin.
     * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { plonk, wtns } from 'pippin-prover/snarkjs';
     *
     * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
     * const { proof, publicSignals } = await plonk.prove('note.plonk.zkey', 'note.wtns');
     * console.log(proof.protocol, publicSignals);
     * ```
     */
    prove: context.withGlobals(plonk.prove),
    /**
     * Computes the witness and makes a proof, as `plonk.fullProve` of snarkjs.
     *
     * @param inputs the circuit's input signals by name.
     * @param wasm the circuit's WASM.
     * @param zkey the proving key.
     * @param logger logs each phase, and what the circuit logs.
     * @returns the proof and the public signals.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without PLONK in Pippin.
     * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number.
     * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
     * @throws {PippinError} WITNESS_FAILED when the WASM traps or exceeds `witnessTimeout`.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { plonk } from 'pippin-prover/snarkjs';
     *
     * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
     * const { proof, publicSignals } = await plonk.fullProve(inputs, 'note.wasm', 'note.plonk.zkey');
     * console.log(proof.protocol, publicSignals);
     * ```
     */
    fullProve: context.withGlobals(plonk.fullProve),
    /**
     * Whether a proof holds for its public signals, as `plonk.verify` of snarkjs.
     *
     * @param verificationKey the key in snarkjs' JSON form.
     * @param publicSignals the public signals.
     * @param proof the proof in snarkjs' JSON form.
     * @param logger logs the outcome.
     * @returns true if the proof holds, else false.
     * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { plonk, zKey } from 'pippin-prover/snarkjs';
     *
     * const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
     * const inputs = await read('input.json');
     * const { proof, publicSignals } = await plonk.fullProve(inputs, 'note.wasm', 'note.plonk.zkey');
     * const verificationKey = await zKey.exportVerificationKey('note.plonk.zkey');
     * const holds = await plonk.verify(verificationKey, publicSignals, proof);
     * console.log(holds ? 'the proof holds' : 'wrong');
     * ```
     */
    verify: context.withGlobals(plonk.verify),
    /**
     * The arguments of `verifyProof` of snarkjs' Solidity verifier, as `plonk.exportSolidityCallData` of snarkjs.
     *
     * @param proof the proof in snarkjs' JSON form, over BN254.
     * @param publicSignals the public signals.
     * @returns the text.
     * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { plonk } from 'pippin-prover/snarkjs';
     *
     * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
     * const { proof, publicSignals } = await plonk.fullProve(inputs, 'note.wasm', 'note.plonk.zkey');
     * console.log(await plonk.exportSolidityCallData(proof, publicSignals));
     * ```
     */
    exportSolidityCallData: plonk.exportSolidityCallData,
    /**
     * Makes the PLONK key of a circuit, as `plonk.setup` of snarkjs, byte for byte. What snarkjs logs and
     * answers with -1 is an error here.
     *
     * @param r1cs the circuit.
     * @param ptau powers of tau, which need not be prepared for phase 2.
     * @param made where the key is written: a path in Node, or `{ type: 'mem' }`.
     * @param logger logs the number of gates.
     * @returns nothing, when it is written.
     * @throws {PippinError} INVALID_ARGUMENT for too few powers of tau, or where no file can be written.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file or version, or a circuit with custom gates.
     * @throws {PippinError} CURVE_MISMATCH for files of different curves, or of one without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { plonk } from 'pippin-prover/snarkjs';
     *
     * await plonk.setup('note.r1cs', 'pot14.ptau', 'note.plonk.zkey', console);
     * ```
     */
    setup: context.withGlobals(ceremony.setUpPlonk),
  };
}

class AliasPlonk extends AliasProofSystem<PlonkKey, SnarkjsPlonkProof> {
  constructor(context: AliasContext) {
    super('plonk', context);
  }

  protected override calldata(proof: SnarkjsPlonkProof, signals: readonly string[]): string {
    const words = [
      ...PLONK_COMMITMENTS.flatMap((name) => proof[name].slice(0, 2)),
      ...PLONK_EVALUATIONS.map((name) => proof[name]),
    ].map(calldataWord);
    return universalCalldata('plonk', words, signals);
  }
}

/** The namespace `fflonk`. */
export function fflonkCalls(context: AliasContext, ceremony: AliasCeremony) {
  const fflonk = new AliasFflonk(context);
  return {
    /**
     * Makes a proof from a witness, as `fflonk.prove` of snarkjs.
     *
     * @param zkey the proving key.
     * @param witness the `.wtns` file.
     * @param logger logs each phase.
     * @returns the proof and the public signals.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without FFLONK in Pippin.
     * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { fflonk, wtns } from 'pippin-prover/snarkjs';
     *
     * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
     * const { proof, publicSignals } = await fflonk.prove('note.fflonk.zkey', 'note.wtns');
     * console.log(proof.protocol, publicSignals);
     * ```
     */
    prove: context.withGlobals(fflonk.prove),
    /**
     * Computes the witness and makes a proof, as `fflonk.fullProve` of snarkjs.
     *
     * @param inputs the circuit's input signals by name.
     * @param wasm the circuit's WASM.
     * @param zkey the proving key.
     * @param logger logs each phase, and what the circuit logs.
     * @returns the proof and the public signals.
     * @throws {PippinError} IO_FAILED when a file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
     * @throws {PippinError} CURVE_MISMATCH for a curve without FFLONK in Pippin.
     * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number.
     * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
     * @throws {PippinError} WITNESS_FAILED when the WASM traps or exceeds `witnessTimeout`.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { fflonk } from 'pippin-prover/snarkjs';
     *
     * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
     * const { proof, publicSignals } = await fflonk.fullProve(inputs, 'note.wasm', 'note.fflonk.zkey');
     * console.log(proof.protocol, publicSignals);
     * ```
     */
    fullProve: context.withGlobals(fflonk.fullProve),
    /**
     * Whether a proof holds for its public signals, as `fflonk.verify` of snarkjs.
     *
     * @param verificationKey the key in snarkjs' JSON form.
     * @param publicSignals the public signals.
     * @param proof the proof in snarkjs' JSON form.
     * @param logger logs the outcome.
     * @returns true if the proof holds, else false.
     * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { fflonk, zKey } from 'pippin-prover/snarkjs';
     *
     * const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
     * const inputs = await read('input.json');
     * const { proof, publicSignals } = await fflonk.fullProve(inputs, 'note.wasm', 'note.fflonk.zkey');
     * const verificationKey = await zKey.exportVerificationKey('note.fflonk.zkey');
     * const holds = await fflonk.verify(verificationKey, publicSignals, proof);
     * console.log(holds ? 'the proof holds' : 'wrong');
     * ```
     */
    verify: context.withGlobals(fflonk.verify),
    /**
     * The arguments of `verifyProof` of snarkjs' Solidity verifier, as `fflonk.exportSolidityCallData` of snarkjs,
     * which takes the public signals first; here either order will do.
     *
     * @param proof the proof in snarkjs' JSON form, over BN254.
     * @param publicSignals the public signals.
     * @returns the text.
     * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { fflonk } from 'pippin-prover/snarkjs';
     *
     * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
     * const { proof, publicSignals } = await fflonk.fullProve(inputs, 'note.wasm', 'note.fflonk.zkey');
     * console.log(await fflonk.exportSolidityCallData(proof, publicSignals));
     * ```
     */
    exportSolidityCallData: fflonk.exportSolidityCallData,
    /**
     * Makes the FFLONK key of a circuit, as `fflonk.setup` of snarkjs, byte for byte. Over BLS12-381 it has other
     * roots of unity: proofs with keys of snarkjs do not verify there.
     *
     * @param r1cs the circuit.
     * @param ptau powers of tau, which need not be prepared for phase 2.
     * @param made where the key is written: a path in Node, or `{ type: 'mem' }`.
     * @param logger logs the number of gates.
     * @returns 0, when it is written.
     * @throws {PippinError} INVALID_ARGUMENT for too few powers of tau, or where no file can be written.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file or version, or a circuit with custom gates.
     * @throws {PippinError} CURVE_MISMATCH for files of different curves, or of one without a pairing in Pippin.
     * @throws {PippinError} INVALID_POINT for a point that is infinite or not in the group of prime order.
     * @example
     * ```js
     * import { fflonk } from 'pippin-prover/snarkjs';
     *
     * await fflonk.setup('note.r1cs', 'pot14.ptau', 'note.fflonk.zkey', console);
     * ```
     */
    setup: context.withGlobals(ceremony.setUpFflonk),
    ...missingCalls('fflonk', ['exportSolidityVerifier']),
  };
}

class AliasFflonk extends AliasProofSystem<FflonkKey, SnarkjsFflonkProof> {
  constructor(context: AliasContext) {
    super('fflonk', context);
  }

  protected override calldata({ polynomials, evaluations }: SnarkjsFflonkProof, signals: readonly string[]): string {
    const words = [
      ...FFLONK_COMMITMENTS.flatMap((name) => polynomials[name].slice(0, 2)),
      ...([...FFLONK_EVALUATIONS, 'inv'] as const).map((name) => evaluations[name]),
    ].map(calldataWord);
    return universalCalldata('fflonk', words, signals);
  }
}
