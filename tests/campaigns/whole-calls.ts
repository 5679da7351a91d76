import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BinarySource, Groth16Key, ProveResult, Prover } from '../../sdk/api/index.js';
import { type Curve, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { decodePoint } from '../../sdk/curves/point-bytes.js';
import { nodeEnginePlatform } from '../../sdk/hosts/node/node-engine.js';
import type { TestCircuit } from '../support/circuits.js';
import { type AffinePoint, addAffine, multiplyAffine, negateAffine } from '../support/curve-reference.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { built } from '../support/in-process-engine.js';
import type { Random } from '../support/random.js';
import { ArgumentCalls } from './argument-calls.js';
import type { Tier } from './campaign.js';
import { integersIn } from './mutated-bytes.js';
import { areOnCurve, JSON_READERS, sectionBody, WITNESS_MEMORY } from './parsed-files.js';

/** Milliseconds that a mutated circuit may compute. */
const WITNESS_TIMEOUT = 500;

/** Calls of the public API with mutated arguments. What they return must be right. */
export class WholeCalls {
  private readonly folder = mkdtempSync(join(tmpdir(), 'pippin-parsers-'));
  private files = 0;

  private constructor(
    private readonly prover: Prover,
    private readonly key: Groth16Key,
    private readonly circuit: TestCircuit,
    private readonly witness: Uint8Array,
    private readonly honest: ProveResult,
    readonly argumentCalls: ArgumentCalls,
  ) {}

  /** Provers compute on this thread, but for circuits, which may run without an end. */
  static async open(tier: Tier, circuit: TestCircuit, witness: Uint8Array): Promise<WholeCalls> {
    const witnessScript = built('witness-node.js');
    const prover = await inPlaceProver(
      { backend: tier, threads: 1 },
      { spawnWitness: () => nodeEnginePlatform.spawnWitness({ witness: witnessScript }) },
    );
    const key = await prover.groth16.loadKey(circuit.zkey);
    const honest = await prover.groth16.prove(key, witness);
    const inArguments = await ArgumentCalls.open({ prover, key, circuit, witness, honest });
    return new WholeCalls(prover, key, circuit, witness, honest, inArguments);
  }

  async close(): Promise<void> {
    await this.prover.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The documents that `verify` is given. */
  get documents() {
    const { proof, publicSignals } = this.honest;
    return { verificationKey: this.circuit.verificationKey, publicSignals, proof };
  }

  /**
   * Loads a mutated key and proves with it. The proof must hold for the key that is trusted, or else for what the key
   * says it is.
   */
  async loadAndProve(zkey: Uint8Array, random: Random): Promise<void> {
    const { groth16 } = this.prover;
    const pinned = random.integer(2) === 0;
    const { verificationKey } = this.circuit;
    const key = await groth16.loadKey(this.source(zkey, random), pinned ? { verificationKey } : {});
    try {
      const made = await groth16.prove(key, this.witness);
      await this.expectHolds(made, pinned ? verificationKey : key.verificationKey, this.witness);
    } finally {
      await key.dispose();
    }
  }

  /** Proves with a mutated witness. */
  async prove(wtns: Uint8Array, random: Random): Promise<void> {
    const made = await this.prover.groth16.prove(this.key, this.source(wtns, random));
    await this.expectHolds(made, this.circuit.verificationKey, wtns);
  }

  /** Proves with mutated inputs. */
  async inputs(inputs: unknown): Promise<void> {
    const made = await this.prover.groth16.fullProve(this.key, inputs as never, this.circuit.wasm);
    await this.expectHolds(made, this.circuit.verificationKey);
  }

  /** Proves with a mutated circuit. */
  async circuitCode(wasm: Uint8Array, random: Random): Promise<void> {
    const limits = { witnessTimeout: WITNESS_TIMEOUT, witnessMemory: WITNESS_MEMORY };
    const made = await this.prover.groth16.fullProve(this.key, this.circuit.inputs, this.source(wasm, random), limits);
    await this.expectHolds(made, this.circuit.verificationKey);
  }

  /** Verifies with one of the three documents mutated: only one that reads the same may be taken. */
  async verify(name: keyof WholeCalls['documents'], changed: unknown): Promise<void> {
    const documents: Record<string, unknown> = { ...this.documents, [name]: changed };
    const { verificationKey, publicSignals, proof } = documents as never as WholeCalls['documents'];
    const holds = await this.prover.groth16.verify(verificationKey, publicSignals, proof);
    const read = JSON_READERS[name];
    if (holds && !isDeepStrictEqual(read(changed), read(this.documents[name]))) {
      throw new Error(`expected another ${name} not to hold`);
    }
  }

  /** Loads points and sums them; the sum must be what the bytes say. */
  async sum(curve: Curve, points: Uint8Array, scalars: Uint8Array, random: Random): Promise<void> {
    const bases = await this.prover.loadBases({ curve: curve.id, points: this.source(points, random) });
    try {
      const { x, y, infinity } = await this.prover.msm(bases, scalars);
      if (!areOnCurve(curve, points)) throw new Error('expected to refuse points that are not on the curve');
      const expected = sumOf(curve, points, scalars);
      if (!isDeepStrictEqual(infinity ? undefined : [x, y], expected))
        throw new Error('expected the sum of the points');
    } finally {
      await bases.dispose();
    }
  }

  /** Throws unless the proof holds, with the public signals of the witness that was given. */
  private async expectHolds(
    { proof, publicSignals }: ProveResult,
    key: TestCircuit['verificationKey'],
    wtns?: Uint8Array,
  ) {
    if (!(await this.prover.groth16.verify(key, publicSignals, proof))) throw new Error('expected a proof that holds');
    if (wtns === undefined) return;
    const values = integersIn(sectionBody(wtns, 2), SCALAR_BYTES);
    const expected = values.slice(1, 1 + publicSignals.length).map(String);
    if (!isDeepStrictEqual(publicSignals, expected)) throw new Error("expected the witness's public signals");
  }

  /** The bytes as a caller may give them: themselves, their buffer, a Blob, a path or a URL. */
  private source(bytes: Uint8Array, random: Random): BinarySource {
    const copy = new Uint8Array(bytes);
    switch (random.integer(5)) {
      case 0:
        return copy.buffer;
      case 1:
        return new Blob([copy]);
      case 2: {
        // Names are used again, so that few files lie there.
        const path = join(this.folder, `${this.files++ % 8}`);
        writeFileSync(path, copy);
        return path;
      }
      default:
        return copy;
    }
  }
}

/** sum k_i P_i in BigInt. */
function sumOf(curve: Curve, points: Uint8Array, scalars: Uint8Array): AffinePoint {
  const values = integersIn(scalars, curve.scalarBytes);
  const size = points.length / values.length;
  let sum: AffinePoint;
  for (const [i, value] of values.entries()) {
    const { x, y, infinity } = decodePoint(curve.id, 'g1', points.subarray(i * size, (i + 1) * size));
    if (infinity) continue;
    const point = [x, y] as [bigint, bigint];
    const isLarge = 2n * value > curve.fr.modulus;
    const term = multiplyAffine(
      curve,
      isLarge ? negateAffine(curve, point) : point,
      isLarge ? curve.fr.modulus - value : value,
    );
    sum = addAffine(curve, sum, term);
  }
  return sum;
}
