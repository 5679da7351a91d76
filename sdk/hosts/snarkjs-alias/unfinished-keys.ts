import type { Groth16VerificationKey } from '../../api/index.js';
import type { Logger } from './logger.js';

const WARNING =
  'pippin-prover: anyone can forge proofs for this key. Its gamma and delta are equal, because its set-up has had no contribution in phase 2. ' +
  'configure({ allowUnfinished: false }) refuses such keys';

/** Warns of keys for which anyone can forge proofs, which snarkjs takes: of each once. */
export class UnfinishedKeys {
  /** Points in which the keys that were told of differ. */
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
