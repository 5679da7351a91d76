import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PlonkKey, PlonkProof, PlonkVerificationKey, Prover } from '../../sdk/api/index.js';
import { CURVES } from '../../sdk/curves/index.js';
import {
  FFLONK_CIRCUITS,
  fflonkCircuit,
  MAKING_TIMEOUT,
  PLONK_CIRCUITS,
  plonkCircuit,
  snarkjsWitness,
  type TestCircuit,
} from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { failureOf, patched, u32, withSection } from '../support/section-bytes.js';

/** The sections of a PLONK key that the tests change. */
const SECTION = { additions: 3, wireA: 4, qm: 7, permutations: 12, powers: 14 } as const;
/** The same of an FFLONK key. */
const FFLONK_SECTION = { qm: 9, s1: 12, powers: 16 } as const;
const R = CURVES.bn254.fr.modulus;

let chain: TestCircuit<PlonkVerificationKey>;
let witness: Uint8Array;
beforeAll(async () => {
  chain = await plonkCircuit('chain');
  witness = await snarkjsWitness(chain);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let prover: Prover;
afterEach(() => prover?.dispose());

const start = async (options: Parameters<typeof inPlaceProver>[0] = {}): Promise<Prover> => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 2, ...options });
  return prover;
};
const holdsForSnarkjs = (key: PlonkVerificationKey, publicSignals: string[], proof: PlonkProof): Promise<boolean> =>
  snarkjs.plonk.verify(key, publicSignals, proof);

describe.each(PLONK_CIRCUITS)('a PLONK proof for %s', (name) => {
  it('is verified by snarkjs and by us, with its public signals and no others', async () => {
    const circuit = await plonkCircuit(name);
    const { plonk } = await start();
    const key = await plonk.loadKey(circuit.zkey, { verificationKey: circuit.verificationKey });
    expect(key.verificationKey).toEqual(circuit.verificationKey);
    for (const constantWork of [false, true]) {
      const { proof, publicSignals, report } = await plonk.fullProve(key, circuit.inputs, circuit.wasm, {
        constantWork,
      });
      expect(Object.keys(report.parts)).toEqual(
        expect.arrayContaining(['A', 'B', 'C', 'Z', 'T1', 'T2', 'T3', 'Wxi', 'Wxiw']),
      );
      expect(await holdsForSnarkjs(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(await plonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      if (publicSignals.length > 0) {
        const changed = publicSignals.with(0, String(BigInt(publicSignals[0]!) ^ 1n));
        expect(await plonk.verify(circuit.verificationKey, changed, proof)).toBe(false);
      }
    }
  });
});

describe.each(FFLONK_CIRCUITS)('an FFLONK proof for %s', (name) => {
  it('is verified by snarkjs and by us, with its public signals and no others', async () => {
    const circuit = await fflonkCircuit(name);
    const { fflonk } = await start();
    const key = await fflonk.loadKey(circuit.zkey, { verificationKey: circuit.verificationKey });
    expect(key).toMatchObject({ protocol: 'fflonk', verificationKey: circuit.verificationKey });
    for (const constantWork of [false, true]) {
      const made = await fflonk.fullProve(key, circuit.inputs, circuit.wasm, { constantWork });
      const { proof, publicSignals, report } = made;
      expect(Object.keys(report.parts)).toEqual(expect.arrayContaining(['C1', 'C2', 'W1', 'W2']));
      expect(await snarkjs.fflonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(await fflonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      if (publicSignals.length > 0) {
        const changed = publicSignals.with(0, String(BigInt(publicSignals[0]!) ^ 1n));
        expect(await fflonk.verify(circuit.verificationKey, changed, proof)).toBe(false);
      }
    }
  });

  it('is refused for a witness that breaks a gate or a connection, verified or not', async () => {
    const circuit = await fflonkCircuit(name);
    const values = await snarkjsWitness(circuit);
    const { fflonk } = await start({ memoryBudget: 2 ** 26 });
    const key = await fflonk.loadKey(circuit.zkey);
    for (let from = values.length - 32 * (key.variables - 1); from < values.length; from += 5 * 32) {
      const wrong = patched(values, from, new Uint8Array([values[from]! ^ 1]));
      for (const verify of [true, false]) {
        expect((await failureOf(() => fflonk.prove(key, wrong, { verify }))).code).toBe('PROOF_INVALID');
      }
    }
    const { proof, publicSignals } = await fflonk.prove(key, values);
    expect(await fflonk.verify(key.verificationKey, publicSignals, proof)).toBe(true);
  });

  it('is refused for a key with another selector, permutation or powers', async () => {
    const circuit = await fflonkCircuit(name);
    const values = await snarkjsWitness(circuit);
    const { fflonk } = await start();
    const changes: readonly (readonly [number, (body: Uint8Array) => Uint8Array])[] = [
      [FFLONK_SECTION.qm, (body) => patched(body, 64, u32(7))],
      [FFLONK_SECTION.s1, (body) => patched(body, 64, u32(7))],
      [FFLONK_SECTION.powers, reordered],
    ];
    for (const [section, change] of changes) {
      const key = await fflonk.loadKey(withSection(circuit.zkey, section, change));
      expect((await failureOf(() => fflonk.prove(key, values))).code).toBe('PROOF_INVALID');
    }
  });
});

describe('PLONK proofs', () => {
  it('differ from each other, since each has its own blinding', async () => {
    const { plonk } = await start();
    const key = await plonk.loadKey(chain.zkey);
    const proofs = [await plonk.prove(key, witness), await plonk.prove(key, witness)];
    for (const name of ['A', 'B', 'C', 'Z', 'T1', 'T2', 'T3', 'Wxi', 'Wxiw'] as const) {
      expect(proofs[0]!.proof[name]).not.toEqual(proofs[1]!.proof[name]);
    }
  });

  it('are made at the same time, on one thread, and within a memory budget', async () => {
    for (const options of [{ threads: 0 }, { memoryBudget: 2 ** 26 }]) {
      const { plonk } = await start(options);
      const key = await plonk.loadKey(chain.zkey);
      const made = await Promise.all([1, 2, 3].map(() => plonk.prove(key, witness)));
      for (const { proof, publicSignals } of made) {
        expect(await plonk.verify(chain.verificationKey, publicSignals, proof)).toBe(true);
      }
      await prover.dispose();
    }
  });

  it('are refused for a witness that breaks a gate or a connection, verified or not', async () => {
    const { plonk } = await start();
    const key = await plonk.loadKey(chain.zkey);
    for (let from = witness.length - 32 * (key.variables - 1); from < witness.length; from += 5 * 32) {
      const wrong = patched(witness, from, new Uint8Array([witness[from]! ^ 1]));
      for (const verify of [true, false]) {
        expect((await failureOf(() => plonk.prove(key, wrong, { verify }))).code).toBe('PROOF_INVALID');
      }
    }
    expect((await plonk.prove(key, witness)).publicSignals).toHaveLength(key.publicSignals);
  });

  it('can be aborted in every phase, after which the next one is made', async () => {
    const { plonk } = await start();
    const key = await plonk.loadKey(chain.zkey);
    for (const phase of ['constraints', 'msm', 'transform', 'verify']) {
      const controller = new AbortController();
      const aborted = plonk.prove(key, witness, {
        signal: controller.signal,
        onProgress: (event) => {
          if (event.kind === 'begin' && event.span.phase === phase) controller.abort();
        },
      });
      expect((await failureOf(() => aborted)).code).toBe('ABORTED');
    }
    expect((await plonk.prove(key, witness)).publicSignals).toHaveLength(key.publicSignals);
  });

  it('take keys and proofs of their own proof system alone', async () => {
    const { plonk, groth16 } = await start();
    const key = await plonk.loadKey(chain.zkey);
    expect(await prover.loadKey(chain.zkey)).toMatchObject({ protocol: 'plonk', variables: key.variables });
    expect((await failureOf(() => groth16.loadKey(chain.zkey))).code).toBe('UNSUPPORTED_FORMAT');
    expect(await failureOf(() => groth16.prove(key as never, witness))).toMatchObject({
      code: 'INVALID_HANDLE',
      hint: expect.stringContaining('prover.plonk'),
    });
    const { proof, publicSignals } = await plonk.prove(key, witness);
    const verifying = groth16.verify(key.verificationKey as never, publicSignals, proof as never);
    expect((await failureOf(() => verifying)).code).toBe('UNSUPPORTED_FORMAT');
    await key.dispose();
    expect((await failureOf(() => plonk.prove(key, witness))).code).toBe('DISPOSED');
  });
});

describe('hostile PLONK keys', () => {
  const bytesAbove = (): Uint8Array => new Uint8Array(32).fill(0xff);
  /** Changes to a key, and the code of the error that loading it gives. */
  const changes: readonly (readonly [string, (zkey: Uint8Array) => Uint8Array, string])[] = [
    [
      'a wire of an unknown signal',
      (z) => withSection(z, SECTION.wireA, (b) => patched(b, 8, u32(9999))),
      'MALFORMED_FILE',
    ],
    ['a coefficient above r', (z) => withSection(z, SECTION.qm, (b) => patched(b, 0, bytesAbove())), 'MALFORMED_FILE'],
    ['a first power that is not the generator', (z) => withSection(z, SECTION.powers, swapped), 'MALFORMED_FILE'],
    [
      'a power off the curve',
      (z) => withSection(z, SECTION.powers, (b) => patched(b, 64 * 9, new Uint8Array([1, 2, 3]))),
      'INVALID_POINT',
    ],
    [
      'a coordinate above p',
      (z) => withSection(z, SECTION.powers, (b) => patched(b, 64 * 9, bytesAbove())),
      'INVALID_POINT',
    ],
    ['a key that ends early', (z) => z.slice(0, -40), 'MALFORMED_FILE'],
  ];
  it.each(changes)('with %s are refused when they are loaded', async (_, change, code) => {
    const { plonk } = await start();
    expect((await failureOf(() => plonk.loadKey(change(chain.zkey)))).code).toBe(code);
  });

  /** Changes that show when a proof is made. */
  const later: readonly (readonly [string, (zkey: Uint8Array) => Uint8Array, string])[] = [
    [
      'an addition of an unknown signal',
      (z) => withSection(z, SECTION.additions, (b) => patched(b, 0, u32(9999))),
      'MALFORMED_FILE',
    ],
    [
      'an addition with a factor above r',
      (z) => withSection(z, SECTION.additions, (b) => patched(b, 8, bytesAbove())),
      'MALFORMED_FILE',
    ],
    ['another selector', (z) => withSection(z, SECTION.qm, (b) => patched(b, 64, u32(7))), 'PROOF_INVALID'],
    [
      'another permutation',
      (z) => withSection(z, SECTION.permutations, (b) => patched(b, 64, u32(7))),
      'PROOF_INVALID',
    ],
    ['powers in another order', (z) => withSection(z, SECTION.powers, (b) => reordered(b)), 'PROOF_INVALID'],
  ];
  it.each(later)('with %s give no proof', async (_, change, code) => {
    const { plonk } = await start();
    const key = await plonk.loadKey(change(chain.zkey));
    expect((await failureOf(() => plonk.prove(key, witness))).code).toBe(code);
  });

  it('of another circuit than the pinned one are refused', async () => {
    const { plonk } = await start();
    const other = await plonkCircuit('smallest');
    const loading = plonk.loadKey(chain.zkey, { verificationKey: other.verificationKey });
    expect((await failureOf(() => loading)).code).toBe('KEY_MISMATCH');
  });
});

/** The powers with the first two exchanged. */
function swapped(powers: Uint8Array): Uint8Array {
  return patched(patched(powers, 0, powers.slice(64, 128)), 64, powers.slice(0, 64));
}

/** The powers with two later ones exchanged. */
function reordered(powers: Uint8Array): Uint8Array {
  return patched(patched(powers, 64 * 5, powers.slice(64 * 6, 64 * 7)), 64 * 6, powers.slice(64 * 5, 64 * 6));
}

it('a signal of a witness is at most r - 1', async () => {
  const { plonk } = await start();
  const key: PlonkKey = await plonk.loadKey(chain.zkey);
  const bytes = new Uint8Array(32);
  for (let i = 0, rest = R; i < 32; i++, rest >>= 8n) bytes[i] = Number(rest & 255n);
  const wrong = patched(witness, witness.length - 32, bytes);
  expect((await failureOf(() => plonk.prove(key, wrong))).code).toBe('INVALID_SCALAR');
});
