import type { FflonkKey } from '../../api/index.js';
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

  /** snarkjs writes the words without quotation marks, and a space after the first one alone. */
  protected override calldata({ polynomials, evaluations }: SnarkjsFflonkProof, signals: string): string {
    const [first, ...others] = [
      ...FFLONK_COMMITMENTS.flatMap((name) => polynomials[name].slice(0, 2)),
      ...([...FFLONK_EVALUATIONS, 'inv'] as const).map((name) => evaluations[name]),
    ].map(calldataWord);
    return `[${first}, ${others.join(',')}],[${signals}]`.replaceAll('"', '');
  }
}
