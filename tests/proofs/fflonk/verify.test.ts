import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FflonkProof, FflonkVerificationKey } from '../../../sdk/api/index.js';
import { bn254, CURVES } from '../../../sdk/curves/index.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { FFLONK_COMMITMENTS, FFLONK_EVALUATIONS } from '../../../sdk/files/snarkjs/fflonk-json.js';
import { FflonkVerifier } from '../../../sdk/proofs/fflonk/verify.js';
import type { PairingArithmetic } from '../../../sdk/proofs/pairings.js';
import { FFLONK_CIRCUITS, fflonkCircuit, MAKING_TIMEOUT, snarkjsFflonkProof } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjs } from '../../support/example.js';
import { forged, forgeries } from '../../support/forgeries.js';
import { outsideSubgroup } from '../../support/outside-subgroup.js';
import { failureOf } from '../../support/section-bytes.js';
import { loadKernel, WASM_MODULES } from '../../support/wasm.js';

const verifyFflonkProof = async (
  ...[arithmetic, key, signals, proof]: [PairingArithmetic, unknown, unknown, unknown]
) => (await FflonkVerifier.create(arithmetic, key)).verify(arithmetic, signals, proof);

const INFINITY = ['0', '1', '0'];
const INFINITY_G2 = [
  ['0', '0'],
  ['1', '0'],
  ['0', '0'],
];
const r = bn254.fr.modulus;

interface Statement {
  readonly key: FflonkVerificationKey;
  readonly signals: readonly string[];
  readonly proof: FflonkProof;
}

const statements: Record<string, Statement> = {};
beforeAll(async () => {
  for (const name of FFLONK_CIRCUITS) {
    const circuit = await fflonkCircuit(name);
    const { proof, publicSignals: signals } = await snarkjsFflonkProof(circuit);
    statements[name] = { key: circuit.verificationKey, signals, proof };
  }
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

/** snarkjs' verdict; it throws for some input that it does not take. */
async function snarkjsVerdict(key: object, signals: readonly unknown[], proof: object): Promise<boolean> {
  // Its reasons to refuse go to a logger that must exist.
  const logger = Object.fromEntries(['info', 'debug', 'warn', 'error'].map((level) => [level, () => undefined]));
  try {
    // It converts the key's members in place.
    return await snarkjs.fflonk.verify(structuredClone(key), [...signals], structuredClone(proof), logger);
  } catch {
    return false;
  }
}

describe.each(FFLONK_CIRCUITS.flatMap((name) => WASM_MODULES.bn254.map((module) => [name, module] as const)))(
  "snarkjs' FFLONK proof for %s by %s",
  (name, module) => {
    it('holds, for its public signals alone', async () => {
      const { key, signals, proof } = statements[name]!;
      const kernel = await loadKernel('bn254', module);
      expect(await verifyFflonkProof(kernel, key, signals, proof)).toBe(true);
      const verifier = await FflonkVerifier.create(kernel, key);
      for (const [i, signal] of signals.entries()) {
        const changed = signals.with(i, String((BigInt(signal) + 1n) % r));
        expect(await verifier.verify(kernel, changed, proof)).toBe(false);
      }
      for (const other of [signals.toReversed(), signals.slice(1), [...signals, '0'], []]) {
        if (other.join() !== signals.join()) expect(await verifier.verify(kernel, other, proof)).toBe(false);
      }
    });
  },
);

describe.each(FFLONK_CIRCUITS)('an FFLONK proof for %s', (name) => {
  let kernel: Kernel;
  let verifier: FflonkVerifier;
  let statement: Statement;
  beforeAll(async () => {
    statement = statements[name]!;
    kernel = await loadKernel('bn254');
    verifier = await FflonkVerifier.create(kernel, statement.key);
  });
  const holds = (proof: object, signals: readonly unknown[] = statement.signals): Promise<boolean> =>
    verifier.verify(kernel, signals, proof);
  const withCommitment = (member: string, value: unknown) => ({
    ...statement.proof,
    polynomials: { ...statement.proof.polynomials, [member]: value },
  });
  const withEvaluation = (member: string, value: unknown) => ({
    ...statement.proof,
    evaluations: { ...statement.proof.evaluations, [member]: value },
  });

  it('holds as other programs write it, and whatever inv is', async () => {
    const { proof, signals } = statement;
    const { protocol: _, curve: __, ...bare } = proof;
    expect(await holds(bare, signals.map(BigInt))).toBe(true);
    expect(await holds(withCommitment('W1', proof.polynomials.W1.slice(0, 2)))).toBe(true);
    expect(await holds(withEvaluation('inv', undefined))).toBe(true);
    expect(await snarkjsVerdict(statement.key, signals, withEvaluation('inv', '7'))).toBe(true);
    expect(await holds(withEvaluation('inv', '7'))).toBe(true);
  });

  it.each(FFLONK_COMMITMENTS)('does not hold with another %s, and never fails for a point', async (member) => {
    const { x, y } = { x: bn254.g1.generator[0], y: bn254.g1.generator[1] };
    const [ownX, ownY] = statement.proof.polynomials[member];
    const negated = [ownX!, String(bn254.fq.modulus - BigInt(ownY!)), '1'];
    const points = [[String(x), String(y), '1'], negated, INFINITY, ['0', '0', '1'], ['1', '3', '1'], ['5', '6', '0']];
    for (const point of points) expect(await holds(withCommitment(member, point))).toBe(false);
  });

  it.each(FFLONK_EVALUATIONS)('does not hold with another %s, or with r added to it', async (member) => {
    const { key, proof, signals } = statement;
    const value = BigInt(proof.evaluations[member]);
    for (const other of [0n, 1n, r - 1n, (value + 1n) % r, (r - value) % r]) {
      if (other !== value) expect(await holds(withEvaluation(member, String(other)))).toBe(false);
    }
    // snarkjs reduces an evaluation before it looks at its range.
    const above = withEvaluation(member, String(value + r));
    expect(await snarkjsVerdict(key, signals, above)).toBe(true);
    expect(await holds(above)).toBe(false);
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
    const polynomials = Object.fromEntries(FFLONK_COMMITMENTS.map((member) => [member, INFINITY]));
    const evaluations = Object.fromEntries(FFLONK_EVALUATIONS.map((member) => [member, '0']));
    expect(await holds({ ...proof, polynomials, evaluations })).toBe(false);
    expect(await holds({ ...proof, polynomials: { ...proof.polynomials, W1: INFINITY, W2: INFINITY } })).toBe(false);
  });

  it('that was forged in many ways does not hold, and snarkjs says the same', async () => {
    const { key, proof, signals } = statement;
    const { inv, ...values } = proof.evaluations;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(forgeries, async (changes) => {
        const members = forged('bn254', { ...proof.polynomials, ...values }, changes);
        const part = (names: readonly string[]) => Object.fromEntries(names.map((member) => [member, members[member]]));
        const evaluations = { ...part(FFLONK_EVALUATIONS), inv };
        const made = { ...proof, polynomials: part(FFLONK_COMMITMENTS), evaluations };
        const ours = await holds(made);
        // A point without its third coordinate is the same point.
        if (ours) expect(await snarkjsVerdict(key, signals, made)).toBe(true);
        else if (compared++ < 30 && (await snarkjsVerdict(key, signals, made))) {
          expect(FFLONK_EVALUATIONS.some((member) => BigInt(members[member] as string) >= r)).toBe(true);
        }
      }),
      { seed: 1, numRuns: EVERY_COMBINATION ? 2000 : name === 'chain' ? 100 : 40 },
    );
  });
});

describe('an FFLONK verification key', () => {
  let kernel: Kernel;
  let statement: Statement;
  beforeAll(async () => {
    statement = statements.chain!;
    kernel = await loadKernel('bn254');
  });
  const verify = (part: object): Promise<boolean> =>
    verifyFflonkProof(kernel, { ...statement.key, ...part }, statement.signals, statement.proof);

  it('with another member does not verify the proof, but with other primitive roots it does, as in snarkjs', async () => {
    const { key, proof, signals } = statement;
    for (const part of [{ k1: '5' }, { k2: '7' }, { nPublic: 1 }, { nPublic: 3 }, { C0: proof.polynomials.C1 }]) {
      expect(await verify(part)).toBe(false);
    }
    const [w3, w4, w8, wr] = [key.w3, key.w4, key.w8, key.wr].map(BigInt) as [bigint, bigint, bigint, bigint];
    for (const roots of [{ w3: w3 ** 2n }, { w4: r - w4 }, { w8: w8 ** 3n }, { wr: wr * w3 }]) {
      const part = Object.fromEntries(Object.entries(roots).map(([root, value]) => [root, String(value % r)]));
      expect(await snarkjsVerdict({ ...key, ...part }, signals, proof)).toBe(true);
      expect(await verify(part)).toBe(true);
    }
  });

  it('with a bad point is refused by its name', async () => {
    const outside = (outsideSubgroup(CURVES.bn254, 'g2') as readonly (readonly bigint[])[]).map((c) => c.map(String));
    const bad: readonly [string, unknown][] = [
      ['C0', ['1', '3', '1']],
      ['C0', ['0', '0', '1']],
      ['X_2', INFINITY_G2],
      ['X_2', outside],
    ];
    for (const [member, point] of bad) {
      expect(await failureOf(() => verify({ [member]: point }))).toMatchObject({
        code: 'INVALID_POINT',
        message: expect.stringContaining(member),
      });
    }
  });

  it('asks for the subgroup of each point of a proof', async () => {
    const { key, signals, proof } = statement;
    const verifier = await FflonkVerifier.create(kernel, key);
    for (const isMember of [true, false]) {
      const arithmetic = {
        combine: kernel.combine.bind(kernel),
        isInSubgroup: async ({ points }: { points: Uint8Array }) => {
          expect(points).toHaveLength(64 * FFLONK_COMMITMENTS.length);
          return isMember;
        },
        pairingProductIsOne: async () => true,
        pairing: async () => new Uint8Array(1),
      };
      expect(await verifier.verify(arithmetic, signals, proof)).toBe(isMember);
    }
  });
});
