import { createHash } from 'node:crypto';
import type { Bases, Groth16Key, KzgOpening, KzgSrs, ProveResult, Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import type { TestCircuit } from '../support/circuits.js';
import { createInPlace } from '../support/in-place-prover.js';
import { type Mutation, mutated } from '../support/mutations.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { encodePoints, encodeScalars, multipleOf } from '../support/points.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';
import { drawMutations } from './mutated-json.js';

/** What the methods are called with. */
interface Given {
  readonly prover: Prover;
  readonly key: Groth16Key;
  readonly circuit: TestCircuit;
  readonly witness: Uint8Array;
  readonly honest: ProveResult;
  readonly bases: Bases;
  readonly srs: KzgSrs;
  /** An opening that holds, of the polynomial of `coefficients`. */
  readonly opening: KzgOpening;
}

type Arguments<Method extends (...given: never[]) => unknown> = Parameters<Method>;

interface Method {
  /** Arguments that it takes. Handles, which cannot be mutated, are among them as they are. */
  readonly given: (given: Given) => readonly unknown[];
  readonly call: (prover: Prover, given: never) => Promise<unknown>;
}

const points = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(encodePoints(bn254, [multipleOf(bn254, 3n), multipleOf(bn254, 5n)]));

const coefficients = (): Uint8Array => encodeScalars([5n, 1n]);

/** Powers of a tau that everybody knows. */
const powers = () => ({
  curve: 'bn254' as const,
  g1: new Uint8Array(encodePoints(bn254, [multipleOf(bn254, 1n), multipleOf(bn254, 3n)])),
  tauG2: NOBLE_GROUPS.find(({ curve, group }) => curve === 'bn254' && group === 'g2')!.multiple(3n),
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const options = { signal: new AbortController().signal, onProgress: () => undefined };

const METHODS: Readonly<Record<string, Method>> = {
  verify: {
    given: ({ circuit, honest }) => [
      circuit.verificationKey,
      honest.publicSignals,
      honest.proof,
      { ...options, allowUnfinished: false },
    ],
    call: async ({ groth16 }, given: Arguments<Prover['groth16']['verify']>) => {
      const holds: unknown = await groth16.verify(...given);
      if (typeof holds !== 'boolean') throw new Error('expected verify to say whether the proof holds');
    },
  },
  loadKey: {
    given: ({ circuit }) => [
      [new Blob([new Uint8Array(circuit.zkey)])],
      { ...options, transfer: true, allowUnfinished: false, sha256: sha256Of(circuit.zkey) },
    ],
    call: async ({ groth16 }, given: Arguments<Prover['groth16']['loadKey']>) =>
      (await groth16.loadKey(...given)).dispose(),
  },
  loadBases: {
    given: () => [
      { curve: 'bn254', group: 'g1', points: new Blob([points()]), id: 'x', checkSubgroup: true },
      { ...options, transfer: false },
    ],
    call: async (prover, given: Arguments<Prover['loadBases']>) => (await prover.loadBases(...given)).dispose(),
  },
  msm: {
    given: ({ bases }) => [bases, encodeScalars([1n, 2n]), { ...options, check: 'random', constantWork: false }],
    call: async (prover, given: Arguments<Prover['msm']>) => {
      const { x } = await prover.msm(...given);
      if (typeof x !== 'bigint') throw new Error('expected a point of G1');
    },
  },
  msmBatch: {
    given: ({ bases }) => [bases, encodeScalars([1n, 2n, 3n, 4n]), { ...options, batchSize: 2 }],
    call: (prover, given: Arguments<Prover['msmBatch']>) => prover.msmBatch(...given),
  },
  prove: {
    given: ({ key, witness }) => [key, witness, { ...options, verify: true, constantWork: false }],
    call: ({ groth16 }, given: Arguments<Prover['groth16']['prove']>) => groth16.prove(...given),
  },
  fullProve: {
    given: ({ key }) => [key, { root: [7] }, new Blob(['no WASM']), { ...options, strictInputs: true }],
    call: ({ groth16 }, given: Arguments<Prover['groth16']['fullProve']>) => groth16.fullProve(...given),
  },
  loadSrs: {
    given: () => [
      { ...powers(), pointsForm: 'canonical' },
      { ...options, size: 2, curve: 'bn254', checkPowers: true },
    ],
    call: async ({ kzg }, given: Arguments<Prover['kzg']['loadSrs']>) => (await kzg.loadSrs(...given)).dispose(),
  },
  commit: {
    given: ({ srs }) => [srs, coefficients(), { ...options, check: 'random', constantWork: false }],
    call: ({ kzg }, given: Arguments<Prover['kzg']['commit']>) => kzg.commit(...given),
  },
  openBatch: {
    given: ({ srs }) => [srs, [coefficients(), coefficients()], 3n, { ...options, challenge: 7n }],
    call: ({ kzg }, given: Arguments<Prover['kzg']['openBatch']>) => kzg.openBatch(...given),
  },
  verifyOpening: {
    given: ({ srs: { curve, tauG2 }, opening }) => [{ curve, tauG2 }, { ...opening }, options],
    call: async ({ kzg }, given: Arguments<Prover['kzg']['verify']>) => {
      const holds: unknown = await kzg.verify(...given);
      if (typeof holds !== 'boolean') throw new Error('expected verify to say whether the opening holds');
    },
  },
  createProver: {
    given: () => [
      {
        backend: 'auto',
        threads: 1,
        cache: { directory: '/no/such/folder' },
        memoryBudget: 1e9,
        constantWork: false,
        assets: { kernel: 'file:///kernel.js', witness: new URL('file:///witness.js'), wasm: { bn254: 'x' } },
        onNotice: () => undefined,
      },
    ],
    call: async (_, [given]: [object]) => (await createInPlace(given, { gpu: async () => undefined })).dispose(),
  },
};

/**
 * Calls of every method of the API, with values of every type in the place of arguments, of options and of what is in
 * them.
 */
export class ArgumentCalls {
  private constructor(private readonly given: Given) {}

  static async open(given: Omit<Given, 'bases' | 'srs' | 'opening'>): Promise<ArgumentCalls> {
    const { kzg } = given.prover;
    const srs = await kzg.loadSrs(powers());
    const { commitment } = await kzg.commit(srs, coefficients());
    const { value, proof } = await kzg.open(srs, coefficients(), 3n);
    const opening = { commitment: commitment.bytes, point: 3n, value, proof: proof.bytes };
    const bases = await given.prover.loadBases({ curve: 'bn254', points: points() });
    return new ArgumentCalls({ ...given, bases, srs, opening });
  }

  draw(random: Random): { readonly name: string; readonly call: () => Promise<unknown> } {
    const name = pick(random, Object.keys(METHODS));
    const method = METHODS[name]!;
    // The list of arguments itself stays one: the first step goes to one of them.
    const changes = drawMutations(random).map(
      (change): Mutation => ({ ...change, path: [change.kind, ...change.path] }),
    );
    const changed = mutated(method.given(this.given), changes);
    return { name, call: () => method.call(this.given.prover, changed as never) };
  }
}
