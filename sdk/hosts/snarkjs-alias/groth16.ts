import type { Groth16Key, Groth16VerificationKey, VerifyOptions } from '../../api/index.js';
import { readSource } from '../../encodings/read-source.js';
import { solidityVerifier } from '../../encodings/solidity-verifier.js';
import { verificationKeyToJson } from '../../files/snarkjs/proof-json.js';
import { readZkey } from '../../files/snarkjs/zkey.js';
import { expectFinished } from '../../proofs/groth16/expected-key.js';
import type { AliasPlatform } from './alias-platform.js';
import { type AliasProver, downloadLimit } from './alias-prover.js';
import type { InputFile, Logger, SnarkjsProof } from './api.js';
import { sourceOf } from './files.js';
import { AliasProofSystem, calldataWord } from './proof-system.js';

/** `groth16` of snarkjs. */
export class AliasGroth16 extends AliasProofSystem<Groth16Key, SnarkjsProof> {
  private readonly unfinishedKeys = new UnfinishedKeys();

  constructor(platform: AliasPlatform, shared: AliasProver) {
    super('groth16', platform, shared);
  }

  /** `zKey.exportSolidityVerifier` of snarkjs, with a contract that is Pippin's, whatever the templates. */
  readonly exportSolidityVerifier = async (zkey: InputFile, _templates?: unknown, logger?: Logger): Promise<string> => {
    const what = 'a .zkey';
    const source = sourceOf(this.platform, zkey, what);
    const { allowUnfinished } = this.expectations();
    return readSource(this.platform, source, what, downloadLimit(this.shared.configured), async (file) => {
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
    const { allowUnfinished = true } = this.shared.configured;
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
