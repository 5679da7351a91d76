import type { ComputedMsm, MultiplyOptions } from '../../bases/backend.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { MaskedMsm } from '../../bases/masked-msm.js';
import type { DrawnMasks, ScalarMasks } from '../../bases/scalar-masks.js';
import { poolMasks } from '../../bases/scalar-masks.js';
import type { CurveId } from '../../curves/index.js';
import type { KeyFacts } from '../../files/snarkjs/zkey.js';
import type { ProofContext } from '../proof-system.js';
import { type Groth16Part, mapParts } from './parts.js';

/** The masks of one proof's scalars. */
export interface ProofMasks {
  /** Of the witness, by the number of a signal. */
  readonly witness: DrawnMasks;
  /** Of the scalars of the MSM over H, by the number of a point of the coset. */
  readonly quotient: DrawnMasks;
  /** The MSM of a part, from the MSM of its masked scalars. */
  unmask(part: Groth16Part, result: ComputedMsm, options: MultiplyOptions): Promise<ComputedMsm>;
}

/** The parts of a loaded key whose MSMs are masked. */
interface KeyToMask {
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly vectors: Readonly<Record<Groth16Part, LoadedBases>>;
}

/**
 * The masks for proofs of constant work with a key, and the MSMs of masks over its vectors
 * (docs/strategies/constant-work.md).
 */
export class MaskedKey {
  private readonly ofWitness: ScalarMasks;
  private readonly ofQuotient: ScalarMasks;
  private readonly sums: Readonly<Record<Groth16Part, MaskedMsm>>;

  constructor(context: ProofContext, { curve, vectors, facts }: KeyToMask) {
    this.ofWitness = poolMasks(context.pool, curve);
    this.ofQuotient = poolMasks(context.pool, curve);
    // C has no points for 1 and the public signals.
    const first = { A: 0, B1: 0, B2: 0, C: facts.publicSignals + 1, H: 0 };
    this.sums = mapParts((part) => {
      const masks = part === 'H' ? this.ofQuotient : this.ofWitness;
      const masked = { bases: vectors[part], masks, first: first[part], check: undefined };
      return new MaskedMsm(masked, context.arithmeticFor);
    });
  }

  /** New masks for a proof. */
  draw(): ProofMasks {
    const witness = this.ofWitness.draw();
    const quotient = this.ofQuotient.draw();
    const unmask: ProofMasks['unmask'] = async (part, result, options) => {
      const [plain] = await this.sums[part].unmask([result], part === 'H' ? quotient : witness, options);
      return plain!;
    };
    return { witness, quotient, unmask };
  }
}
