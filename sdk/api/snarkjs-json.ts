/** What was read from JSON, or imported from it, as TypeScript knows it. `verify` and `loadKey` check what it holds. */
type FromJson<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly FromJson<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: FromJson<T[K]> }
      : T;

/** A proof in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16Proof {
  readonly pi_a: string[];
  readonly pi_b: string[][];
  readonly pi_c: string[];
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
}

/** A proof as it is read from JSON; a `Groth16Proof` is one. */
export type Groth16ProofJson = FromJson<Groth16Proof>;

/** A verification key in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16VerificationKey {
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  readonly nPublic: number;
  readonly vk_alpha_1: string[];
  readonly vk_beta_2: string[][];
  readonly vk_gamma_2: string[][];
  readonly vk_delta_2: string[][];
  /** The pairing of alpha and beta, which snarkjs writes as well. `verify` does not read it. */
  readonly vk_alphabeta_12?: string[][][];
  readonly IC: string[][];
}

/** A verification key as it is read from JSON; a `Groth16VerificationKey` is one. */
export type Groth16VerificationKeyJson = FromJson<Groth16VerificationKey>;
