import type { Groth16Key, Groth16VerificationKey, VerifyOptions } from '../../api/index.js';
import { solidityVerifier } from '../../encodings/groth16/solidity-verifier.js';
import { verificationKeyToJson } from '../../files/snarkjs/groth16-json.js';
import { readZkey } from '../../files/snarkjs/zkey.js';
import { expectFinished } from '../../proofs/groth16/expected-key.js';
import type { InputFile, Logger, SnarkjsProof } from './api.js';
import type { AliasContext } from './context.js';
import { AliasProofSystem, calldataWord } from './proof-system.js';

/** The namespace `groth16`. */
export function groth16Calls(context: AliasContext, groth16: AliasGroth16) {
  return {
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
    prove: context.withGlobals(groth16.prove),
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
    fullProve: context.withGlobals(groth16.fullProve),
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
    verify: context.withGlobals(groth16.verify),
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
  };
}

/** What Groth16 does otherwise than other proof systems, and a contract that verifies its proofs. */
export class AliasGroth16 extends AliasProofSystem<Groth16Key, SnarkjsProof> {
  private readonly unfinishedKeys = new UnfinishedKeys();

  constructor(context: AliasContext) {
    super('groth16', context);
  }

  /** `zKey.exportSolidityVerifier` of snarkjs, with a contract that is Pippin's, whatever the templates. */
  readonly exportSolidityVerifier = async (zkey: InputFile, _templates?: unknown, logger?: Logger): Promise<string> => {
    const { allowUnfinished } = this.expectations();
    return this.context.read(zkey, 'a .zkey', async (file) => {
      logger?.info?.('EXPORT VERIFICATION KEY STARTED');
      const { curve, points } = await readZkey(file);
      if (!allowUnfinished) expectFinished(points.gamma2, points.delta2);
      const key = verificationKeyToJson(curve, points);
      this.unfinishedKeys.warnOf(key, logger);
      logger?.info?.(`> Detected protocol: ${key.protocol}`);
      logger?.info?.('EXPORT VERIFICATION KEY FINISHED');
      return solidityVerifier(curve, key);
    });
  };

  /** `solidityCalldata` checks the numbers. */
  protected override calldata({ pi_a, pi_b, pi_c }: SnarkjsProof, signals: readonly string[]): string {
    const pair = (first: unknown, second: unknown): string => `["${calldataWord(first)}", "${calldataWord(second)}"]`;
    const [x, y] = pi_b as [string[], string[]];
    const b = `[${pair(x[1], x[0])},${pair(y[1], y[0])}]`;
    return `${pair(pi_a[0], pi_a[1])},${b},${pair(pi_c[0], pi_c[1])},[${signals.map((word) => `"${word}"`).join(',')}]`;
  }

  protected override expectations(): Pick<VerifyOptions, 'allowUnfinished'> {
    const { allowUnfinished = true } = this.context.configured;
    return { allowUnfinished };
  }

  protected override usesKey(key: Groth16VerificationKey, logger: Logger | undefined): void {
    this.unfinishedKeys.warnOf(key, logger);
  }

  /** snarkjs does not read how many signals a key names, but counts its points. */
  protected override assumedOf({ IC }: Readonly<Record<string, unknown>>): object | undefined {
    return Array.isArray(IC) ? { nPublic: IC.length - 1 } : undefined;
  }
}

const WARNING =
  'pippin-prover: anyone can forge proofs for this key. Its gamma and delta are equal, because its set-up has had no contribution in phase 2. ' +
  'configure({ allowUnfinished: false }) refuses such keys';

/** Warns of keys for which anyone can forge proofs, which snarkjs takes: of each once. */
class UnfinishedKeys {
  /** IC points, which identify the keys already warned of. */
  private readonly told = new Set<string>();

  /** @param key one that a call works with. A logger without `warn` leaves the warning to the console. */
  warnOf({ vk_gamma_2: gamma, vk_delta_2: delta, IC }: Groth16VerificationKey, logger: Logger | undefined): void {
    const points = String(IC.slice(0, 2));
    if (String(gamma) !== String(delta) || this.told.has(points)) return;
    this.told.add(points);
    if (logger?.warn) logger.warn(WARNING);
    else console.warn(WARNING);
  }
}
