import { createHash } from 'node:crypto';
import { bn254 } from '../../../sdk/curves/index.js';
import { inverse } from '../../../sdk/field/modular.js';
import type { Multiples } from './multiples.js';
import { qapAt } from './qap.js';
import type { R1cs } from './r1cs.js';
import { zkeyFile } from './zkey-file.js';

const R = bn254.fr.modulus;

/**
 * The .zkey of a Groth16 key (ePrint 2016/260, section 3.2) whose secrets are derived from fixed words. It is made in seconds, where a
 * ceremony takes many minutes. The key is correct but not secure: anyone can forge proofs for it.
 */
export function makeKey(circuit: R1cs, multiples: Multiples): Uint8Array {
  const [tau, alpha, beta, gamma, delta] = ['tau', 'alpha', 'beta', 'gamma', 'delta'].map(secret) as Five;
  const qap = qapAt(circuit, tau);
  const perGamma = inverse(gamma, R);
  const perDelta = inverse(delta, R);
  const combined = qap.a.map((a, i) => (beta * a + alpha * qap.b[i]! + qap.c[i]!) % R);
  const firstPrivate = circuit.publicSignals + 1;
  const [alpha1, beta1, delta1] = [alpha, beta, delta].map((value) => multiples.of('g1', [value])) as Three;
  const [beta2, gamma2, delta2] = [beta, gamma, delta].map((value) => multiples.of('g2', [value])) as Three;
  return zkeyFile({
    circuit,
    domainSize: qap.domainSize,
    ...{ alpha1, beta1, beta2, gamma2, delta1, delta2 },
    ic: multiples.of(
      'g1',
      combined.slice(0, firstPrivate).map((value) => (value * perGamma) % R),
    ),
    a: multiples.of('g1', qap.a),
    b1: multiples.of('g1', qap.b),
    b2: multiples.of('g2', qap.b),
    c: multiples.of(
      'g1',
      combined.slice(firstPrivate).map((value) => (value * perDelta) % R),
    ),
    h: multiples.of(
      'g1',
      qap.h.map((value) => (value * perDelta) % R),
    ),
  });
}

type Three = [Uint8Array, Uint8Array, Uint8Array];
type Five = [bigint, bigint, bigint, bigint, bigint];

function secret(name: string): bigint {
  return BigInt(`0x${createHash('sha256').update(`pippin bench ${name}`).digest('hex')}`) % R;
}
