import type { Groth16Proof } from '../../api/index.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import type { CurveId } from '../../curves/index.js';
import type { LoadedKey, MadeProof, ProofCall, ProofContext, ProofRequest } from '../proof-system.js';
import type { Groth16KeyDescription, KeyContents, ProvingKey } from './key.js';
import { loadSpareCode } from './load-spare-code.js';
import { makeProof } from './make-proof.js';
import type { MaskedKey } from './masked-key.js';
import { PlacedKey } from './placement.js';
import { pairings, Verifier } from './verify.js';

/** A loaded proving key, with its verification key, which is checked when it is first needed. */
export class LoadedGroth16Key implements ProvingKey, LoadedKey<Groth16Proof, Groth16KeyDescription> {
  readonly description: Groth16KeyDescription;
  readonly places: PlacedKey;
  private checkedVerifier: Promise<Verifier> | undefined;
  private maskedKey: MaskedKey | undefined;

  constructor(
    private readonly context: ProofContext,
    readonly contents: KeyContents,
  ) {
    this.description = { ...contents.facts, verificationKey: contents.verificationKey };
    this.places = new PlacedKey(context, contents);
  }

  get curve(): CurveId {
    return this.contents.curve;
  }

  get variables(): number {
    return this.contents.facts.variables;
  }

  get precomputation(): KeyContents['precomputation'] {
    return this.contents.precomputation;
  }

  async masked(): Promise<MaskedKey> {
    const { MaskedKey } = await loadSpareCode('constant work');
    this.maskedKey ??= new MaskedKey(this.context, this.contents);
    return this.maskedKey;
  }

  prove(call: ProofCall, witness: HostScalars, request: ProofRequest): Promise<MadeProof<Groth16Proof>> {
    return makeProof(this.context, this, call, witness, request);
  }

  release(): void {
    const { precomputation, vectors, matrices, deviceQuotient, source } = this.contents;
    precomputation?.release();
    for (const loaded of [...Object.values(vectors), ...matrices, deviceQuotient]) loaded?.release();
    void source.close();
  }

  /** Made at the first use, without the signal of a call, because other calls may wait for it, too. After a failure the next call tries again. */
  verifier(): Promise<Verifier> {
    const { curve, verificationKey } = this.contents;
    const arithmetic = pairings(this.context.pool, curve, undefined);
    // Whether the key may be unfinished was decided when it was loaded.
    this.checkedVerifier ??= Verifier.create(arithmetic, verificationKey, true).catch((error) => {
      this.checkedVerifier = undefined;
      throw error;
    });
    return this.checkedVerifier;
  }
}
