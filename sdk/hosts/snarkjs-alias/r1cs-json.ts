/**
 * A sum of wires: the coefficient of each. On the curves of snarkjs a coefficient is little-endian bytes times R mod r, as ffjavascript has it; in
 * other fields it is a BigInt.
 */
export type SnarkjsSum = Record<string, Uint8Array | bigint>;

/** What `r1cs.info` of snarkjs gives, without the objects `curve` and `F` of ffjavascript. */
export interface SnarkjsR1cs {
  n8: number;
  prime: bigint;
  nVars: number;
  nOutputs: number;
  nPubInputs: number;
  nPrvInputs: number;
  nLabels: number;
  nConstraints: number;
  useCustomGates: boolean;
  constraints: [a: SnarkjsSum, b: SnarkjsSum, c: SnarkjsSum][];
  customGates: never[];
  customGatesUses: never[];
}
