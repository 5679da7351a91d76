import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bn254, type GroupId } from '../../../sdk/curves/index.js';
import { inverse } from '../../../sdk/curves/modular.js';
import { qapAt } from './qap.js';
import type { R1cs } from './r1cs.js';
import { zkeyFile } from './zkey-file.js';

const R = bn254.fr.modulus;

/** Multiplies a group's generator by each of the scalars, 0 <= scalar < r, and gives the points in boundary form. */
export interface GeneratorMultiples {
  of(group: GroupId, scalars: readonly bigint[]): Uint8Array | Promise<Uint8Array>;
}

/**
 * The .zkey of a Groth16 key (ePrint 2016/260, section 3.2) whose secrets are derived from fixed words. It is made in
 * seconds, where a ceremony takes many minutes. The key is correct but not secure: anyone can forge proofs for it.
 */
export async function makeKey(circuit: R1cs, multiples: GeneratorMultiples): Promise<Uint8Array> {
  const [tau, alpha, beta, gamma, delta] = ['tau', 'alpha', 'beta', 'gamma', 'delta'].map(secret) as Five;
  const qap = qapAt(circuit, tau);
  const perGamma = inverse(gamma, R);
  const perDelta = inverse(delta, R);
  const combined = qap.a.map((a, i) => (beta * a + alpha * qap.b[i]! + qap.c[i]!) % R);
  const firstPrivate = circuit.publicSignals + 1;
  const scaled = (values: readonly bigint[], factor: bigint): bigint[] => values.map((value) => (value * factor) % R);
  const g1 = (scalars: readonly bigint[]) => multiples.of('g1', scalars);
  const g2 = (scalars: readonly bigint[]) => multiples.of('g2', scalars);
  return zkeyFile({
    circuit,
    domainSize: qap.domainSize,
    alpha1: await g1([alpha]),
    beta1: await g1([beta]),
    delta1: await g1([delta]),
    beta2: await g2([beta]),
    gamma2: await g2([gamma]),
    delta2: await g2([delta]),
    ic: await g1(scaled(combined.slice(0, firstPrivate), perGamma)),
    a: await g1(qap.a),
    b1: await g1(qap.b),
    b2: await g2(qap.b),
    c: await g1(scaled(combined.slice(firstPrivate), perDelta)),
    h: await g1(scaled(qap.h, perDelta)),
  });
}

type Five = [bigint, bigint, bigint, bigint, bigint];

/** A scalar that everybody can compute, by its name in the paper. */
export function secret(name: string): bigint {
  return BigInt(`0x${bytesToHex(sha256(utf8ToBytes(`pippin bench ${name}`)))}`) % R;
}
