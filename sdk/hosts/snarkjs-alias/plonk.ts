import type { PlonkKey } from '../../api/index.js';
import { universalCalldata } from '../../encodings/universal-words.js';
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

  protected override calldata(proof: SnarkjsPlonkProof, signals: readonly string[]): string {
    const words = [
      ...PLONK_COMMITMENTS.flatMap((name) => proof[name].slice(0, 2)),
      ...PLONK_EVALUATIONS.map((name) => proof[name]),
    ].map(calldataWord);
    return universalCalldata('plonk', words, signals);
  }
}
