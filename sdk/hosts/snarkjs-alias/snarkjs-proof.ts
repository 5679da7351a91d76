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
