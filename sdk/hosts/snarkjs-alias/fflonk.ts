import type { FflonkKey } from '../../api/index.js';
import { universalCalldata } from '../../encodings/universal-words.js';
import { FFLONK_COMMITMENTS, FFLONK_EVALUATIONS } from '../../files/snarkjs/fflonk-json.js';
import type { AliasPlatform } from './alias-platform.js';
import type { AliasProver } from './alias-prover.js';
import type { SnarkjsFflonkProof } from './api.js';
import { AliasProofSystem, calldataWord } from './proof-system.js';

/** `fflonk` of snarkjs. */
export class AliasFflonk extends AliasProofSystem<FflonkKey, SnarkjsFflonkProof> {
  constructor(platform: AliasPlatform, shared: AliasProver) {
    super('fflonk', platform, shared);
  }

  protected override calldata({ polynomials, evaluations }: SnarkjsFflonkProof, signals: readonly string[]): string {
    const words = [
      ...FFLONK_COMMITMENTS.flatMap((name) => polynomials[name].slice(0, 2)),
      ...([...FFLONK_EVALUATIONS, 'inv'] as const).map((name) => evaluations[name]),
    ].map(calldataWord);
    return universalCalldata('fflonk', words, signals);
  }
}
