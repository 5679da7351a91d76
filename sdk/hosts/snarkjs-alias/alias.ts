import type { CircuitInputs, VerificationKey } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { verificationKeyOf } from '../../encodings/file-functions.js';
import { readSource } from '../../encodings/read-source.js';
import type { AliasPlatform } from './alias-platform.js';
import { AliasProver, downloadLimit } from './alias-prover.js';
import type {
  AliasOptions,
  InputFile,
  Logger,
  OutputFile,
  SnarkjsKeyJson,
  SnarkjsR1cs,
  SnarkjsR1csJson,
} from './api.js';
import { StandInCurves } from './curves.js';
import { AliasFflonk } from './fflonk.js';
import { sourceOf } from './files.js';
import { AliasGroth16 } from './groth16.js';
import { keyJson } from './key-json.js';
import { AliasPlonk } from './plonk.js';
import { AliasPowers } from './powers.js';
import { r1csInfo, r1csJson } from './r1cs.js';
import { calculate, wtnsJson } from './wtns.js';

/** The exports of snarkjs 0.7.6, over a prover of Pippin. */
export function snarkjsAlias(platform: AliasPlatform) {
  const shared = new AliasProver((options) => platform.createProver(options));
  const standIns = new StandInCurves(() => shared.endSoon());
  const hasCurveGlobals = (): boolean => shared.configured.curveGlobals ?? true;
  /** The call, which leaves curves in the globals, as in snarkjs. */
  const withGlobals =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      if (hasCurveGlobals()) standIns.putInGlobals();
      return call(...args);
    };
  const groth16 = new AliasGroth16(platform, shared);
  const plonk = new AliasPlonk(platform, shared);
  const fflonk = new AliasFflonk(platform, shared);
  const ceremony = new AliasPowers(platform, shared);
  return {
    /** Groth16, as `groth16` of snarkjs. */
    groth16: {
      /**
       * Makes a proof from a witness, as `groth16.prove` of snarkjs.
       *
       * @param zkey the proving key.
       * @param witness the `.wtns` file.
       * @param logger logs each phase.
       * @returns the proof and the public signals.
       * @throws {PippinError} IO_FAILED when a file cannot be read.
       * @throws {PippinError} DOWNLOAD_TOO_LARGE when a download exceeds `maxBytes`.
       * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
       * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, proof system or version.
       * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
       * @throws {PippinError} PROOF_INVALID when the witness does not satisfy the key's circuit.
       * @throws {PippinError} KEY_UNFINISHED for a key without a contribution, if `allowUnfinished` is false.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { groth16, wtns } from 'pippin-prover/snarkjs';
       *
       * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
       * const { proof, publicSignals } = await groth16.prove('note.zkey', 'note.wtns');
       * console.log(proof.protocol, publicSignals);
       * ```
       */
      prove: withGlobals(groth16.prove),
      /**
       * Computes the witness and makes a proof, as `groth16.fullProve` of snarkjs.
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
       * @throws {PippinError} CURVE_MISMATCH for a curve without Groth16 in Pippin.
       * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number.
       * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
       * @throws {PippinError} WITNESS_FAILED when the WASM traps or exceeds `witnessTimeout`.
       * @throws {PippinError} KEY_UNFINISHED for a key without a contribution, if `allowUnfinished` is false.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { groth16 } from 'pippin-prover/snarkjs';
       *
       * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
       * const { proof, publicSignals } = await groth16.fullProve(inputs, 'note.wasm', 'note.zkey');
       * console.log(proof.protocol, publicSignals);
       * ```
       */
      fullProve: withGlobals(groth16.fullProve),
      /**
       * Whether a proof holds for its public signals, as `groth16.verify` of snarkjs.
       *
       * @param verificationKey the key in snarkjs' JSON form.
       * @param publicSignals the public signals.
       * @param proof the proof in snarkjs' JSON form.
       * @param logger logs the outcome.
       * @returns true if the proof holds, else false.
       * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
       * @throws {PippinError} KEY_UNFINISHED for a key without a contribution, if `allowUnfinished` is false.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { groth16 } from 'pippin-prover/snarkjs';
       *
       * const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
       * const { proof, publicSignals } = await groth16.fullProve(await read('input.json'), 'note.wasm', 'note.zkey');
       * const holds = await groth16.verify(await read('note.vkey.json'), publicSignals, proof);
       * console.log(holds ? 'the proof holds' : 'wrong');
       * ```
       */
      verify: withGlobals(groth16.verify),
      /**
       * The arguments of `verifyProof` of snarkjs' Solidity verifier, as `groth16.exportSolidityCallData` of snarkjs.
       *
       * @param proof the proof in snarkjs' JSON form, over BN254.
       * @param publicSignals the public signals.
       * @returns the text.
       * @throws {PippinError} MALFORMED_FILE for anything that is not in snarkjs' form.
       * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { groth16 } from 'pippin-prover/snarkjs';
       *
       * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
       * const { proof, publicSignals } = await groth16.fullProve(inputs, 'note.wasm', 'note.zkey');
       * console.log(await groth16.exportSolidityCallData(proof, publicSignals));
       * ```
       */
      exportSolidityCallData: groth16.exportSolidityCallData,
    },
    /** PLONK, as `plonk` of snarkjs. */
    plonk: {
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
      prove: withGlobals(plonk.prove),
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
      fullProve: withGlobals(plonk.fullProve),
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
      verify: withGlobals(plonk.verify),
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
      setup: withGlobals(ceremony.setUpPlonk),
    },
    /** FFLONK, as `fflonk` of snarkjs but for its `exportSolidityVerifier`. */
    fflonk: {
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
      prove: withGlobals(fflonk.prove),
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
      fullProve: withGlobals(fflonk.fullProve),
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
      verify: withGlobals(fflonk.verify),
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
      setup: withGlobals(ceremony.setUpFflonk),
      ...missingCalls('fflonk', ['exportSolidityVerifier']),
    },
    /** Witnesses, as `wtns` of snarkjs. */
    wtns: {
      /**
       * Computes a witness and writes it, as `wtns.calculate` of snarkjs.
       *
       * @param inputs the circuit's input signals by name.
       * @param wasm the circuit's WASM.
       * @param wtns where the `.wtns` file is written: a path, or an object `{ type: 'mem' }`, whose `data` it becomes.
       * @returns when it is written.
       * @throws {PippinError} IO_FAILED when a file cannot be read or written.
       * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number.
       * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
       * @throws {PippinError} WITNESS_FAILED when the WASM traps or exceeds `witnessTimeout`.
       * @throws {PippinError} UNSUPPORTED_FORMAT when the file is not a circuit's WASM.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { wtns } from 'pippin-prover/snarkjs';
       *
       * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
       * await wtns.calculate(inputs, 'note.wasm', 'note.wtns');
       * console.log('the witness is in note.wtns');
       * ```
       */
      calculate: (inputs: CircuitInputs, wasm: InputFile, wtns: OutputFile, _options?: unknown): Promise<void> =>
        calculate(platform, shared.configured, inputs, wasm, wtns),
      /**
       * The values of a witness, as `wtns.exportJson` of snarkjs. They are secret.
       *
       * @param wtns the `.wtns` file, over any field.
       * @returns the values, from 0 to r - 1: the constant one, the public signals, then all others.
       * @throws {PippinError} IO_FAILED when the file cannot be read.
       * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
       * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
       * @throws {PippinError} UNSUPPORTED_FORMAT for another version.
       * @throws {PippinError} INVALID_SCALAR for a value that is not below r.
       * @example
       * ```js run
       * import { readFile } from 'node:fs/promises';
       * import { wtns } from 'pippin-prover/snarkjs';
       *
       * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'exported.wtns');
       * const values = await wtns.exportJson('exported.wtns');
       * console.log(values.length, values[0]);
       * ```
       */
      exportJson: async (wtns: InputFile): Promise<bigint[]> =>
        wtnsJson(platform, downloadLimit(shared.configured), wtns),
      ...missingCalls('wtns', ['debug', 'check']),
    },
    /** Keys, as `zKey` of snarkjs. */
    zKey: {
      /**
       * The verification key of a proving key, as `zKey.exportVerificationKey` of snarkjs.
       *
       * @param zkey the proving key.
       * @param logger is told that it begins and ends.
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
      exportVerificationKey: withGlobals(async (zkey: InputFile, logger?: Logger): Promise<VerificationKey> => {
        logger?.info?.('EXPORT VERIFICATION KEY STARTED');
        const source = sourceOf(platform, zkey, 'a .zkey');
        const key = await readSource(platform, source, 'a .zkey', downloadLimit(shared.configured), verificationKeyOf);
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
      exportJson: withGlobals(async (zkey: InputFile): Promise<SnarkjsKeyJson> => {
        const source = sourceOf(platform, zkey, 'a .zkey');
        return readSource(platform, source, 'a .zkey', downloadLimit(shared.configured), keyJson);
      }),
      /**
       * The source of a Solidity contract that verifies the proofs of a key over BN254: `Groth16Verifier` with
       * `verifyProof(uint[2], uint[2][2], uint[2], uint[n])`, which takes what `groth16.exportSolidityCallData` gives.
       * The contract is Pippin's, for Solidity 0.7 and 0.8, under MIT OR Apache-2.0. Without public signals
       * `verifyProof` has three parameters.
       *
       * @param zkey the proving key.
       * @param logger is told that it begins and ends, and warned of a key for which anyone can forge proofs.
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
      exportSolidityVerifier: withGlobals(groth16.exportSolidityVerifier),
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
      contribute: withGlobals(ceremony.contribute),
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
      beacon: withGlobals(ceremony.beacon),
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
      verifyFromInit: withGlobals(ceremony.verifyFromInit),
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
      verifyFromR1cs: withGlobals(ceremony.verifyFromR1cs),
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
      newZKey: withGlobals(ceremony.newZKey),
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
      exportBellman: withGlobals(ceremony.exportBellman),
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
      bellmanContribute: withGlobals(ceremony.bellmanContribute),
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
      importBellman: withGlobals(ceremony.importBellman),
    },
    /** Constraint systems, as `r1cs` of snarkjs. */
    r1cs: {
      /**
       * What an `.r1cs` file holds, with its constraints, as `r1cs.info` of snarkjs.
       *
       * @param r1cs the file.
       * @param logger logs its sizes.
       * @returns the sizes and the constraints.
       * @throws {PippinError} IO_FAILED when the file cannot be read.
       * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
       * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
       * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, or one of another version.
       * @example
       * ```js
       * import { r1cs } from 'pippin-prover/snarkjs';
       *
       * const { nConstraints, nVars } = await r1cs.info('circuit.r1cs');
       * console.log(nConstraints, nVars);
       * ```
       */
      info: withGlobals(
        async (r1cs: InputFile, logger?: Logger): Promise<SnarkjsR1cs> =>
          r1csInfo(platform, downloadLimit(shared.configured), r1cs, logger),
      ),
      /**
       * The same with numbers as decimal strings, and the label of each wire, as `r1cs.exportJson` of snarkjs.
       *
       * @param r1cs the file.
       * @returns the sizes, the constraints and the labels.
       * @throws {PippinError} IO_FAILED when the file cannot be read.
       * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
       * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
       * @throws {PippinError} UNSUPPORTED_FORMAT for another kind of file, one of another version, or custom gates.
       * @example
       * ```js
       * import { r1cs } from 'pippin-prover/snarkjs';
       *
       * const { constraints, map } = await r1cs.exportJson('circuit.r1cs');
       * console.log(constraints.length, map.length);
       * ```
       */
      exportJson: withGlobals(
        async (r1cs: InputFile, _logger?: Logger): Promise<SnarkjsR1csJson> =>
          r1csJson(platform, downloadLimit(shared.configured), r1cs),
      ),
      ...missingCalls('r1cs', ['print']),
    },
    /**
     * What takes the place of the curves of ffjavascript: their names, moduli and `terminate()`. A member that would
     * compute throws `UNSUPPORTED_CALL`.
     */
    curves: {
      /**
       * The curve by its name, as `curves.getCurveFromName` of snarkjs.
       *
       * @param name the curve's name in snarkjs, such as `bn128`.
       * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
       * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
       * @example
       * ```js run
       * import { curves } from 'pippin-prover/snarkjs';
       *
       * const curve = await curves.getCurveFromName('bn128');
       * console.log(curve.name, curve.r);
       * await curve.terminate();
       * ```
       */
      getCurveFromName: withGlobals(standIns.getCurveFromName),
      /**
       * The curve by the modulus of the scalars, as `curves.getCurveFromR` of snarkjs.
       *
       * @param r the modulus of the scalars.
       * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
       * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
       * @example
       * ```js run
       * import { curves } from 'pippin-prover/snarkjs';
       *
       * const curve = await curves.getCurveFromR(
       *   21888242871839275222246405745257275088548364400416034343698204186575808495617n,
       * );
       * console.log(curve.name, curve.r);
       * await curve.terminate();
       * ```
       */
      getCurveFromR: withGlobals(standIns.getCurveFromR),
      /**
       * The curve by the modulus of the coordinates, as `curves.getCurveFromQ` of snarkjs.
       *
       * @param q the modulus of the coordinates.
       * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
       * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
       * @example
       * ```js run
       * import { curves } from 'pippin-prover/snarkjs';
       *
       * const curve = await curves.getCurveFromQ(
       *   21888242871839275222246405745257275088696311157297823662689037894645226208583n,
       * );
       * console.log(curve.name, curve.r);
       * await curve.terminate();
       * ```
       */
      getCurveFromQ: withGlobals(standIns.getCurveFromQ),
    },
    /** Powers of tau, phase 1 of a set-up, as `powersOfTau` of snarkjs. */
    powersOfTau: {
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
      newAccumulator: withGlobals(ceremony.newAccumulator),
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
      contribute: withGlobals(ceremony.contributeToPowers),
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
      beacon: withGlobals(ceremony.beaconOfPowers),
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
      verify: withGlobals(ceremony.verifyPowers),
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
      preparePhase2: withGlobals(ceremony.preparePhase2),
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
      convert: withGlobals(ceremony.convert),
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
      exportJson: withGlobals(ceremony.exportPowersJson),
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
      truncate: withGlobals(ceremony.truncate),
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
      exportChallenge: withGlobals(ceremony.exportChallenge),
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
      challengeContribute: withGlobals(ceremony.challengeContribute),
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
      importResponse: withGlobals(ceremony.importResponse),
    },
    /**
     * Not of snarkjs: options of what is behind the alias. They hold from the next call on, and replace earlier ones as
     * a whole.
     *
     * @param options of the prover, of the keys that stay loaded, and of downloads.
     * @returns nothing.
     * @throws {PippinError} INVALID_ARGUMENT for options out of range.
     * @example
     * ```js run
     * import { configure } from 'pippin-prover/snarkjs';
     *
     * configure({ prover: { backend: 'wasm', threads: 2 }, maxKeys: 1, allowUnfinished: false });
     * console.log('configured');
     * ```
     */
    configure: (options: AliasOptions): void => {
      shared.configure(options);
      if (!hasCurveGlobals()) standIns.removeFromGlobals();
    },
  };
}

/** A call of snarkjs that is not here. It rejects, as all calls of snarkjs return promises. */
export type MissingCall = (...args: unknown[]) => Promise<never>;

/** Functions that reject with the name of the call and what to use instead. */
function missingCalls<const Name extends string>(group: string, names: readonly Name[]): Record<Name, MissingCall> {
  const entries = names.map((name) => [name, missingCall(`${group}.${name}`)] as const);
  return Object.fromEntries(entries) as Record<Name, MissingCall>;
}

function missingCall(name: string): MissingCall {
  return async () => {
    throw new PippinError('UNSUPPORTED_CALL', `expected a call that pippin-prover/snarkjs has, got ${name}()`, {
      hint: 'it proves and verifies with Groth16, PLONK and FFLONK; for set-ups use snarkjs itself, by its command line or under another name',
    });
  };
}
