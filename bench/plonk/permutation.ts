import { bn254 } from '../../sdk/curves/index.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import type { PlonkCircuit } from './chain.js';

const R = bn254.fr.modulus;

/** What tells the wires b and c from the wires a. snarkjs takes the same numbers. */
export const [K1, K2] = [2n, 3n] as const;

/**
 * The values of S1, S2 and S3 on the domain: the point of the wire that a permutation maps each wire to (2019/953,
 * section 8.1). Its cycles are the wires with the same signal; each is mapped to the one before it. Wires of gates that
 * the circuit does not have carry signal 0.
 *
 * @param blinded how many elements at the domain's end belong to no gate; each of their wires is mapped to itself.
 */
export function permutationValues({ log, gates }: PlonkCircuit, blinded = 0): bigint[][] {
  const n = 2 ** log;
  const points = domainPoints(n);
  const signal = (wire: number, gate: number): number => gates[gate]?.wires[wire] ?? 0;
  const first = new Map<number, number>();
  const before = new Map<number, bigint>();
  const values = new Array<bigint>(3 * n);
  for (const [wire, factor] of [1n, K1, K2].entries()) {
    for (let gate = 0; gate < n; gate++) {
      const index = wire * n + gate;
      const point = (points[gate]! * factor) % R;
      if (gate >= n - blinded) {
        values[index] = point;
        continue;
      }
      const at = signal(wire, gate);
      const previous = before.get(at);
      if (previous === undefined) first.set(at, index);
      else values[index] = previous;
      before.set(at, point);
    }
  }
  for (const [at, index] of first) values[index] = before.get(at)!;
  return [0, 1, 2].map((wire) => values.slice(wire * n, (wire + 1) * n));
}

/** The n-th roots of unity w^i, in the order of i. */
function domainPoints(n: number): bigint[] {
  const root = rootOfDomain('bn254', n);
  const points = [1n];
  while (points.length < n) points.push((points.at(-1)! * root) % R);
  return points;
}
