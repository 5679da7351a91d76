import type { PlonkKey } from '../../api/index.js';
import { PLONK_COMMITMENTS, PLONK_EVALUATIONS } from '../../files/snarkjs/plonk-json.js';
import type { AliasPlatform } from './alias-platform.js';
import type { AliasProver } from './alias-prover.js';
import type { SnarkjsPlonkProof } from './api.js';
import { AliasProofSystem, calldataWord } from './proof-system.js';

/** `plonk` of snarkjs. */
export class AliasPlonk extends AliasProofSystem<PlonkKey, SnarkjsPlonkProof> {
  constructor(platform: AliasPlatform, shared: AliasProver) {
    super('plonk', platform, shared);
  }

  /** snarkjs writes two lists without a comma between them, and a space after the first word alone. */
  protected override calldata(proof: SnarkjsPlonkProof, signals: string): string {
    const [first, ...others] = [
      ...PLONK_COMMITMENTS.flatMap((name) => proof[name].slice(0, 2)),
      ...PLONK_EVALUATIONS.map((name) => proof[name]),
    ].map(calldataWord);
    return `[${first}, ${others.join(',')}][${signals}]`;
  }
}
