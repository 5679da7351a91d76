/** What was read from JSON, or imported from it, as TypeScript knows it. `verify` and `loadKey` check what it holds. */
export type FromJson<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly FromJson<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: FromJson<T[K]> }
      : T;

/** A proof in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16Proof {
  /** A, a point of G1: x, y, and 1. */
  readonly pi_a: string[];
  /** B, a point of G2: x, y, and 1, each as c0 and c1. */
  readonly pi_b: string[][];
  /** C, a point of G1: x, y, and 1. */
  readonly pi_c: string[];
  /** The proof system. */
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
}

/** A proof as it is read from JSON; a `Groth16Proof` is one. */
export type Groth16ProofJson = FromJson<Groth16Proof>;

/** A verification key in snarkjs' JSON form, with numbers in decimal digits. */
export interface Groth16VerificationKey {
  /** The proof system. */
  readonly protocol: 'groth16';
  /** The curve's name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  /** The number of public signals. */
  readonly nPublic: number;
  /** alpha, a point of G1. */
  readonly vk_alpha_1: string[];
  /** beta, a point of G2. */
  readonly vk_beta_2: string[][];
  /** gamma, a point of G2. */
  readonly vk_gamma_2: string[][];
  /** delta, a point of G2. */
  readonly vk_delta_2: string[][];
  /** The pairing of alpha and beta, which snarkjs writes as well. `verify` does not read it. */
  readonly vk_alphabeta_12?: string[][][];
  /** A point of G1 for the constant 1, and one for each public signal. */
  readonly IC: string[][];
}

/** A verification key as it is read from JSON; a `Groth16VerificationKey` is one. */
export type Groth16VerificationKeyJson = FromJson<Groth16VerificationKey>;
