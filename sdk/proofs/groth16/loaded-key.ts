import type { Groth16Proof } from '../../api/index.js';
import type { HostScalars } from '../../bases/scalar-vector.js';
import type { CurveId } from '../../curves/index.js';
import type { LoadedKey, MadeProof, ProofCall, ProofContext, ProofRequest } from '../proof-system.js';
import type { Groth16KeyDescription, KeyContents, ProvingKey } from './key.js';
import { loadSpareCode } from './load-spare-code.js';
import { makeProof } from './make-proof.js';
import type { MaskedKey } from './masked-key.js';
import { PlacedKey, type Placement } from './placement.js';
import { pairings, type VerificationAhead, Verifier } from './verify.js';

/** A loaded proving key, with its verification key, which is checked when it is first needed. */
export class LoadedGroth16Key implements ProvingKey, LoadedKey<Groth16Proof, Groth16KeyDescription> {
  readonly source: KeyContents['source'];
  readonly curve: CurveId;
  readonly facts: KeyContents['facts'];
  readonly points: KeyContents['points'];
  readonly verificationKey: KeyContents['verificationKey'];
  readonly vectors: KeyContents['vectors'];
  readonly matrices: KeyContents['matrices'];
  readonly deviceQuotient: KeyContents['deviceQuotient'];
  readonly tuning: KeyContents['tuning'];
  readonly precomputation: KeyContents['precomputation'];
  readonly cachedPoints: KeyContents['cachedPoints'];
  readonly description: Groth16KeyDescription;
  private readonly places: PlacedKey;
  private checkedVerifier: Promise<Verifier> | undefined;
  private maskedKey: MaskedKey | undefined;

  constructor(
    private readonly context: ProofContext,
    contents: KeyContents,
  ) {
    this.source = contents.source;
    this.curve = contents.curve;
    this.facts = contents.facts;
    this.points = contents.points;
    this.verificationKey = contents.verificationKey;
    this.vectors = contents.vectors;
    this.matrices = contents.matrices;
    this.deviceQuotient = contents.deviceQuotient;
    this.tuning = contents.tuning;
    this.precomputation = contents.precomputation;
    this.cachedPoints = contents.cachedPoints;
    this.description = { ...contents.facts, verificationKey: contents.verificationKey };
    this.places = new PlacedKey(context, this);
  }

  get placement(): Placement {
    return this.places.placement;
  }

  notePlacement(call: ProofCall, placement: Placement | undefined, ms: number): void {
    this.places.note(call, placement, ms);
  }

  async masked(): Promise<MaskedKey> {
    const { MaskedKey } = await loadSpareCode('constant work');
    this.maskedKey ??= new MaskedKey(this.context, this);
    return this.maskedKey;
  }

  get variables(): number {
    return this.facts.variables;
  }

  prove(call: ProofCall, witness: HostScalars, request: ProofRequest): Promise<MadeProof<Groth16Proof>> {
    return makeProof(this.context, this, call, witness, request);
  }

  async verifyAhead(
    call: ProofCall,
    publicSignals: readonly string[],
    points: Promise<readonly [a: Uint8Array, b: Uint8Array]>,
  ): Promise<VerificationAhead> {
    const verifier = await this.verifier();
    return verifier.ahead(pairings(this.context.pool, this.curve, call.signal), publicSignals, points);
  }

  release(): void {
    this.precomputation?.release();
    for (const bases of Object.values(this.vectors)) bases.release();
    for (const matrix of this.matrices) matrix.release();
    this.deviceQuotient?.release();
    void this.source.close();
  }

  /** Made at the first use, without the signal of a call, because other calls may wait for it, too. After a failure the next call tries again. */
  private verifier(): Promise<Verifier> {
    const { context, curve, verificationKey } = this;
    // Whether the key may be unfinished was decided when it was loaded.
    const creating = () => Verifier.create(pairings(context.pool, curve, undefined), verificationKey, true);
    this.checkedVerifier ??= creating().catch((error) => {
      this.checkedVerifier = undefined;
      throw error;
    });
    return this.checkedVerifier;
  }
}
