import type { CurveId } from '../../curves/index.js';
import type { MsmOptions, MsmSum } from '../../msm/backend.js';
import type { LoadedBases } from '../../msm/loaded-bases.js';
import type { MaskedSums } from '../../msm/masked-sums.js';
import type { DrawnMasks, ScalarMasks } from '../../msm/scalar-masks.js';
import type { KeyFacts } from '../../snarkjs/zkey.js';
import type { ProofContext } from '../proof-system.js';
import { type Groth16Part, mapParts } from './parts.js';

/** The masks of one proof's scalars. */
export interface ProofMasks {
  /** Of the witness, by the number of a signal. */
  readonly witness: DrawnMasks;
  /** Of the scalars of the sum over H, by the number of a point of the coset. */
  readonly quotient: DrawnMasks;
}

/** The parts of a loaded key whose sums are masked. */
interface KeyToMask {
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly vectors: Readonly<Record<Groth16Part, LoadedBases>>;
}

/** The masks for proofs of constant work with a key, and the sums of masks over its vectors (docs/strategies/constant-work.md). */
export class MaskedKey {
  private readonly ofWitness: ScalarMasks;
  private readonly ofQuotient: ScalarMasks;
  private readonly sums: Readonly<Record<Groth16Part, MaskedSums>>;

  constructor(context: ProofContext, { curve, vectors, facts }: KeyToMask) {
    this.ofWitness = context.masks(curve);
    this.ofQuotient = context.masks(curve);
    // C has no points for 1 and the public signals.
    const first = { A: 0, B1: 0, B2: 0, C: facts.publicSignals + 1, H: 0 };
    this.sums = mapParts((part) =>
      context.maskedSums({
        bases: vectors[part],
        masks: part === 'H' ? this.ofQuotient : this.ofWitness,
        first: first[part],
        check: undefined,
      }),
    );
  }

  /** New masks for a proof. */
  draw(): ProofMasks {
    return { witness: this.ofWitness.draw(), quotient: this.ofQuotient.draw() };
  }

  /** The sum of a part, from the sum of its masked scalars. */
  async unmask(part: Groth16Part, sum: MsmSum, masks: ProofMasks, options: MsmOptions): Promise<MsmSum> {
    const drawn = part === 'H' ? masks.quotient : masks.witness;
    const [plain] = await this.sums[part].unmask([sum], drawn, options);
    return plain!;
  }
}
