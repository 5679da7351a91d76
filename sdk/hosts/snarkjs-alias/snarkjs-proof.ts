/** A proof as snarkjs gives it. */
export interface SnarkjsProof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: string;
  curve: string;
}

export interface SnarkjsProofResult {
  proof: SnarkjsProof;
  publicSignals: string[];
}

/** The text of snarkjs' `exportSolidityCallData`: of any numbers, whether or not they are a proof. `solidityCalldata` checks them. */
export function calldata({ pi_a, pi_b, pi_c }: SnarkjsProof, publicSignals: readonly (string | bigint)[]): string {
  const word = (value: unknown): string =>
    `"0x${BigInt(value as string)
      .toString(16)
      .padStart(64, '0')}"`;
  const pair = (first: unknown, second: unknown): string => `[${word(first)}, ${word(second)}]`;
  const [x, y] = pi_b as [string[], string[]];
  const b = `[${pair(x[1], x[0])},${pair(y[1], y[0])}]`;
  return `${pair(pi_a[0], pi_a[1])},${b},${pair(pi_c[0], pi_c[1])},[${publicSignals.map(word).join(',')}]`;
}
