import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlonkProof, PlonkVerificationKey } from '../../../sdk/api/index.js';
import { bls12381, CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { decodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import {
  curveOfPlonkVerificationKey,
  PLONK_COMMITMENTS,
  PLONK_EVALUATIONS,
} from '../../../sdk/files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import type { PairingArithmetic } from '../../../sdk/proofs/pairings.js';
import { PlonkVerifier } from '../../../sdk/proofs/plonk/verify.js';
import { MAKING_TIMEOUT, PLONK_CIRCUITS, plonkCircuit, snarkjsPlonkProof } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjsOver } from '../../support/example.js';
import { forged, forgeries } from '../../support/forgeries.js';
import { outsideSubgroup, pointsOutside } from '../../support/outside-subgroup.js';
import { failureOf } from '../../support/section-bytes.js';
import { loadKernel, WASM_MODULES } from '../../support/wasm.js';

const verifyPlonkProof = async (...[arithmetic, key, signals, proof]: [PairingArithmetic, unknown, unknown, unknown]) =>
  (await PlonkVerifier.create(arithmetic, key)).verify(arithmetic, signals, proof);

const INFINITY = ['0', '1', '0'];
const INFINITY_G2 = [
  ['0', '0'],
  ['1', '0'],
  ['0', '0'],
];

interface Statement {
  readonly curve: CurveId;
  readonly key: PlonkVerificationKey;
  readonly signals: readonly string[];
  readonly proof: PlonkProof;
}

const statements: Record<string, Statement> = {};
beforeAll(async () => {
  for (const name of PLONK_CIRCUITS) {
    const circuit = await plonkCircuit(name);
    const { proof, publicSignals: signals } = await snarkjsPlonkProof(circuit);
    const key = circuit.verificationKey;
    statements[name] = { curve: curveOfPlonkVerificationKey(key), key, signals, proof };
  }
}, MAKING_TIMEOUT);
afterAll(async () => {
  for (const curve of ['bn254', 'bls12-381'] as const) await endSnarkjsOver(curve);
});

/** snarkjs' verdict; it throws for some input that it does not take. */
async function snarkjsVerdict(key: object, signals: readonly unknown[], proof: object): Promise<boolean> {
  // Its reasons to refuse go to a logger that must exist.
  const logger = Object.fromEntries(['info', 'debug', 'warn', 'error'].map((level) => [level, () => undefined]));
  try {
    // It converts the key's members in place.
    return await snarkjs.plonk.verify(structuredClone(key), [...signals], structuredClone(proof), logger);
  } catch {
    return false;
  }
}

describe.each(
  PLONK_CIRCUITS.flatMap((name) =>
    WASM_MODULES[name.startsWith('bls12381') ? 'bls12-381' : 'bn254'].map((module) => [name, module] as const),
  ),
)("snarkjs' proof for %s by %s", (name, module) => {
  it('holds, for its public signals alone', async () => {
    const { curve, key, signals, proof } = statements[name]!;
    const r = CURVES[curve].fr.modulus;
    const kernel = await loadKernel(curve, module);
    expect(await verifyPlonkProof(kernel, key, signals, proof)).toBe(true);
    const verifier = await PlonkVerifier.create(kernel, key);
    for (const [i, signal] of signals.entries()) {
      const changed = signals.with(i, String((BigInt(signal) + 1n) % r));
      expect(await verifier.verify(kernel, changed, proof)).toBe(false);
    }
    for (const other of [signals.toReversed(), signals.slice(1), [...signals, '0'], []]) {
      if (other.join() !== signals.join()) expect(await verifier.verify(kernel, other, proof)).toBe(false);
    }
  });
});

describe.each(['chain', 'bls12381/chain'])('a proof for %s', (name) => {
  let kernel: Kernel;
  let verifier: PlonkVerifier;
  let statement: Statement;
  let r: bigint;
  beforeAll(async () => {
    statement = statements[name]!;
    kernel = await loadKernel(statement.curve);
    verifier = await PlonkVerifier.create(kernel, statement.key);
    r = CURVES[statement.curve].fr.modulus;
  });
  const holds = (proof: object, signals: readonly unknown[] = statement.signals): Promise<boolean> =>
    verifier.verify(kernel, signals, proof);

  it('holds as other programs write it', async () => {
    const { proof, signals } = statement;
    const { protocol: _, curve: __, ...bare } = proof;
    expect(await holds(bare, signals.map(BigInt))).toBe(true);
    const hexadecimal = signals.map((signal) => `0x${BigInt(signal).toString(16)}`);
    expect(await holds({ ...proof, A: proof.A.slice(0, 2), Wxi: proof.Wxi.slice(0, 2) }, hexadecimal)).toBe(true);
  });

  it.each(PLONK_COMMITMENTS)('does not hold with another %s, and never fails for a point', async (member) => {
    const { curve, proof } = statement;
    const { x, y } = { x: CURVES[curve].g1.generator[0], y: CURVES[curve].g1.generator[1] };
    const negated = [proof[member][0]!, String(CURVES[curve].fq.modulus - BigInt(proof[member][1]!)), '1'];
    const points = [[String(x), String(y), '1'], negated, INFINITY, ['0', '0', '1'], ['1', '3', '1'], ['5', '6', '0']];
    for (const point of points) expect(await holds({ ...proof, [member]: point })).toBe(false);
  });

  it.each(PLONK_EVALUATIONS)('does not hold with another %s, or with r added to it', async (member) => {
    const { key, proof, signals } = statement;
    const value = BigInt(proof[member]);
    for (const other of [0n, 1n, r - 1n, (value + 1n) % r, r - value]) {
      expect(await holds({ ...proof, [member]: String(other) })).toBe(false);
    }
    // snarkjs reduces an evaluation before it looks at its range.
    const above = { ...proof, [member]: String(value + r) };
    expect(await snarkjsVerdict(key, signals, above)).toBe(true);
    expect(await holds(above)).toBe(false);
    expect(await holds({ ...proof, [member]: String(r) })).toBe(false);
  });

  it('does not hold for signals out of range, which snarkjs refuses, too', async () => {
    const { key, proof, signals } = statement;
    for (const [i, signal] of signals.entries()) {
      for (const other of [BigInt(signal) + r, BigInt(signal) - r]) {
        const changed = signals.with(i, String(other));
        expect(await snarkjsVerdict(key, changed, proof)).toBe(false);
        expect(await holds(proof, changed)).toBe(false);
      }
    }
  });

  it('does not hold with nothing in it', async () => {
    const { proof } = statement;
    const empty = Object.fromEntries([
      ...PLONK_COMMITMENTS.map((member) => [member, INFINITY]),
      ...PLONK_EVALUATIONS.map((member) => [member, '0']),
    ]);
    expect(await holds({ ...proof, ...empty })).toBe(false);
    expect(await holds({ ...proof, Wxi: INFINITY, Wxiw: INFINITY })).toBe(false);
  });

  it('that was forged in many ways does not hold, and snarkjs says the same', async () => {
    const { curve, key, proof, signals } = statement;
    const { protocol, curve: name, ...members } = proof;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(forgeries, async (changes) => {
        const made = { ...forged(curve, members, changes), protocol, curve: name };
        const ours = await holds(made);
        // A point without its third coordinate is the same point.
        if (ours) expect(await snarkjsVerdict(key, signals, made)).toBe(true);
        else if (compared++ < 30 && (await snarkjsVerdict(key, signals, made))) {
          const evaluations = PLONK_EVALUATIONS.map((member) => BigInt((made as unknown as PlonkProof)[member]));
          expect(evaluations.some((value) => value >= r)).toBe(true);
        }
      }),
      { seed: 1, numRuns: EVERY_COMBINATION ? 2000 : curve === 'bn254' ? 100 : 40 },
    );
  });
});

describe('a PLONK verification key', () => {
  let kernel: Kernel;
  let statement: Statement;
  beforeAll(async () => {
    statement = statements.chain!;
    kernel = await loadKernel('bn254');
  });
  const verify = (part: object): Promise<boolean> =>
    verifyPlonkProof(kernel, { ...statement.key, ...part }, statement.signals, statement.proof);

  it('with another member does not verify the proof', async () => {
    const { key } = statement;
    for (const name of PLONK_POLYNOMIALS) {
      const others = [INFINITY, key.S1, key.S2].filter((point) => point.join() !== key[name].join());
      for (const other of others) expect(await verify({ [name]: other })).toBe(false);
    }
    for (const part of [{ k1: '5' }, { k2: '7' }, { power: 7, w: undefined }, { nPublic: 1 }, { nPublic: 3 }]) {
      expect(await verify(part)).toBe(false);
    }
  });

  it('with a bad point is refused by its name', async () => {
    const outside = (outsideSubgroup(CURVES.bn254, 'g2') as readonly (readonly bigint[])[]).map((c) => c.map(String));
    const bad: readonly [string, unknown][] = [
      ...PLONK_POLYNOMIALS.flatMap((name): [string, unknown][] => [
        [name, ['1', '3', '1']],
        [name, ['0', '0', '1']],
      ]),
      ['X_2', INFINITY_G2],
      ['X_2', outside],
    ];
    for (const [name, point] of bad) {
      expect(await failureOf(() => verify({ [name]: point }))).toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringContaining(name),
      });
    }
  });
});

describe('over BLS12-381, whose G1 has points outside of the subgroup', () => {
  const outside = Object.values(pointsOutside(bls12381, 'g1')).map((bytes) => {
    const { x, y } = decodePoint('bls12-381', 'g1', bytes);
    return [String(x), String(y), '1'];
  });

  it('they are refused in a key and make a proof false, all by the arithmetic of the subgroup', async () => {
    const { key, signals, proof } = statements['bls12381/chain']!;
    const kernel = await loadKernel('bls12-381');
    const verifier = await PlonkVerifier.create(kernel, key);
    for (const point of outside) {
      for (const name of PLONK_POLYNOMIALS) {
        expect((await failureOf(() => PlonkVerifier.create(kernel, { ...key, [name]: point }))).code).toBe(
          'INVALID_POINT',
        );
      }
      for (const name of PLONK_COMMITMENTS) {
        // An arithmetic for which all pairings are equal: what is refused is refused for its points.
        const arithmetic = {
          combine: kernel.combine.bind(kernel),
          isInSubgroup: kernel.isInSubgroup.bind(kernel),
          pairingProductIsOne: async () => true,
          pairing: async () => new Uint8Array(1),
        };
        expect(await verifier.verify(arithmetic, signals, proof)).toBe(true);
        expect(await verifier.verify(arithmetic, signals, { ...proof, [name]: point })).toBe(false);
      }
    }
  });

  it('a proof over another curve than the key is refused as such', async () => {
    const { key, signals } = statements['bls12381/chain']!;
    const kernel = await loadKernel('bls12-381');
    const { proof } = statements.chain!;
    expect((await failureOf(() => verifyPlonkProof(kernel, key, signals, proof))).code).toBe('CURVE_MISMATCH');
  });
});
