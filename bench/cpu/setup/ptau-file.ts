import { bn254, type GroupId, pointBytes } from '../../../sdk/curves/index.js';
import { secret } from './make-key.js';
import type { Multiples } from './multiples.js';
import { lagrangeAt } from './qap.js';
import { sectionFile } from './section-writer.js';
import { element, montgomery, numbers } from './zkey-file.js';

const R = bn254.fr.modulus;
/** snarkjs' keys of PLONK have powers of tau up to n + 5. */
const EXTRA_POWERS = 6;

function powersOf(tau: bigint, count: number): bigint[] {
  const powers = [1n];
  while (powers.length < count) powers.push((powers.at(-1)! * tau) % R);
  return powers;
}

/**
 * What `snarkjs plonk setup` reads of a .ptau file over BN254, for circuits of 2^power gates: the powers of a tau that
 * is derived from a fixed word, and the Lagrange polynomials at it. A ceremony of 2^18 takes snarkjs half an hour, this
 * takes seconds. Anyone can forge proofs for keys made from it.
 */
export function plonkPtauFile(power: number, multiples: Multiples): Uint8Array {
  const n = 2 ** power;
  const tau = secret('tau');
  const powers = powersOf(tau, n + EXTRA_POWERS);
  // The Lagrange polynomials of all smaller domains come first: 2^power - 1 points, which are not read.
  const before = (n - 1) * pointBytes('bn254', 'g1');
  const lagrange = montgomery(multiples.of('g1', lagrangeAt(n, tau)));
  const levels = new Uint8Array(before + lagrange.length);
  levels.set(lagrange, before);
  return sectionFile('ptau', [
    [1, Buffer.concat([numbers(bn254.coordinateBytes), element(bn254.fq.modulus), numbers(power, power)])],
    [2, montgomery(multiples.of('g1', powers))],
    [3, montgomery(multiples.of('g2', [1n, tau]))],
    [12, levels],
  ]);
}

/** A .ptau of 2^(power + 3) has the 9 n + 18 powers of tau that an FFLONK key takes, n = 2^power. */
const FFLONK_MORE_POWER = 3;

/**
 * What `newUniversalKey` reads of a .ptau file over BN254 for an FFLONK key of 2^power gates: 9 n + 18 powers of the
 * same tau, and zeros in the place of all others.
 */
export function fflonkPtauFile(power: number, multiples: Multiples): Uint8Array {
  const tau = secret('tau');
  const powers = powersOf(tau, 9 * 2 ** power + 18);
  const stated = power + FFLONK_MORE_POWER;
  const padded = (group: GroupId, count: number, values: readonly bigint[]): Uint8Array => {
    const section = new Uint8Array(count * pointBytes('bn254', group));
    section.set(montgomery(multiples.of(group, values)));
    return section;
  };
  return sectionFile('ptau', [
    [1, Buffer.concat([numbers(bn254.coordinateBytes), element(bn254.fq.modulus), numbers(stated, stated)])],
    [2, padded('g1', 2 ** (stated + 1) - 1, powers)],
    [3, padded('g2', 2 ** stated, [1n, tau])],
  ]);
}

/**
 * The .ptau of 2^power over BN254 as it is after snarkjs has prepared it for phase 2, of secrets that are derived from
 * fixed words. Lagrange polynomials are there for the domains of 2^power and 2^(power + 1) elements; the places of
 * smaller domains are zeros.
 */
export function preparedPtauFile(power: number, multiples: Multiples): Uint8Array {
  const [tau, alpha, beta] = [secret('tau'), secret('alpha'), secret('beta')];
  const n = 2 ** power;
  const powers = powersOf(tau, 2 * n - 1);
  const times = (factor: bigint, values: readonly bigint[]) => values.map((value) => (factor * value) % R);
  const points = (group: GroupId, values: readonly bigint[]) => montgomery(multiples.of(group, values));
  const zeros = (group: GroupId, count: number) => new Uint8Array(count * pointBytes('bn254', group));
  const first = powers.slice(0, n);
  const lagrange = lagrangeAt(n, tau);
  const smaller = (group: GroupId) => zeros(group, n - 1);
  const largest = points('g1', lagrangeAt(2 * n, tau));
  return sectionFile('ptau', [
    [1, Buffer.concat([numbers(bn254.coordinateBytes), element(bn254.fq.modulus), numbers(power, power)])],
    [2, points('g1', powers)],
    [3, points('g2', first)],
    [4, points('g1', times(alpha, first))],
    [5, points('g1', times(beta, first))],
    [6, points('g2', [beta])],
    [7, numbers(0)],
    [12, Buffer.concat([smaller('g1'), points('g1', lagrange), largest])],
    [13, Buffer.concat([smaller('g2'), points('g2', lagrange)])],
    [14, Buffer.concat([smaller('g1'), points('g1', times(alpha, lagrange))])],
    [15, Buffer.concat([smaller('g1'), points('g1', times(beta, lagrange))])],
  ]);
}
