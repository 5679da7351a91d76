import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import type { Term } from '../support/r1cs-reference.js';
import { sectionFile, u32 } from '../support/section-bytes.js';

export type Sums = readonly [a: readonly Term[], b: readonly Term[], c: readonly Term[]];

export interface CircuitFacts {
  readonly prime: bigint;
  readonly wires: number;
  readonly publicOutputs?: number;
  readonly publicInputs?: number;
  readonly constraints: readonly Sums[];
}

/** The bytes of an .r1cs, without labels. */
export function r1csFile({ prime, wires, publicOutputs = 0, publicInputs = 0, constraints }: CircuitFacts): Uint8Array {
  const counts = [wires, publicOutputs, publicInputs, wires - 1 - publicOutputs - publicInputs].map(u32);
  const header = [
    u32(32),
    bigintToBytes(prime, 32),
    ...counts,
    bigintToBytes(BigInt(wires), 8),
    u32(constraints.length),
  ];
  const sums = constraints
    .flat()
    .map((terms) => joinBytes([u32(terms.length), ...terms.flatMap(([wire, k]) => [u32(wire), bigintToBytes(k, 32)])]));
  return sectionFile('r1cs', 1, [
    [1, joinBytes(header)],
    [2, joinBytes(sums)],
  ]);
}
