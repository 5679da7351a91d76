import type { BinarySource, FflonkProof, PlonkProof, ProverOptions } from '../../api/index.js';

/** What `configure` of `pippin-prover/snarkjs` takes. */
export interface AliasOptions {
  /**
   * Options of the prover behind the alias; see `createProver`. They replace earlier ones as a whole.
   *
   * @defaultValue the defaults of `createProver`
   */
  readonly prover?: ProverOptions;
  /**
   * Milliseconds without a call after which the prover is ended and its memory freed. The next call starts another.
   * Default 60 000.
   *
   * @defaultValue 60 000
   */
  readonly idleMs?: number;
  /**
   * The most keys that stay loaded.
   *
   * @defaultValue 4
   */
  readonly maxKeys?: number;
  /**
   * The most bytes that the files of loaded keys have together. One key stays loaded whatever its size.
   *
   * @defaultValue 2^30
   */
  readonly maxKeyBytes?: number;
  /**
   * The most bytes that are downloaded of a file at a URL, as `LoadOptions.maxBytes`: `DOWNLOAD_TOO_LARGE` for more.
   *
   * @defaultValue 2^28 (256 MiB) for a circuit, 2^30 (1 GiB) for a witness, 2^33 (8 GiB) for other files
   */
  readonly maxBytes?: number;
  /**
   * The most milliseconds that a circuit's own WASM may take, as `ProveOptions.witnessTimeout`. Then its worker is
   * ended, and the call rejects with `WITNESS_FAILED`.
   *
   * @defaultValue 120 000
   */
  readonly witnessTimeout?: number;
  /**
   * The most bytes that the memory of a circuit's own WASM may take, as `ProveOptions.witnessMemory`.
   *
   * @defaultValue 2^30
   */
  readonly witnessMemory?: number;
  /**
   * With true, keys of a set-up without a contribution are taken, as by snarkjs, although anyone can forge proofs for
   * them, and a warning tells of each once. False refuses them (`KEY_UNFINISHED`).
   *
   * @defaultValue true
   */
  readonly allowUnfinished?: boolean;
  /**
   * With true, each call gives `globalThis.curve_bn128` and `curve_bls12381` a `terminate()`, which applications call
   * as with snarkjs: they become 0n, unless a curve of ffjavascript is there, and `BigInt.prototype` has the method.
   * ffjavascript beside makes its own curves as if they were not there. False leaves all of them alone.
   *
   * @defaultValue true
   */
  readonly curveGlobals?: boolean;
}

/** A file in memory, as snarkjs has them: what is written to it is its `data`. */
export interface MemFile {
  /** Says that it is in memory. */
  readonly type: 'mem';
  /** The bytes, once they are written. */
  data?: Uint8Array;
}

/** The same in pages of at most 2^22 bytes. */
export interface BigMemFile {
  /** Says that it is in memory, in pages. */
  readonly type: 'bigMem';
  /** The pages, once they are written. */
  data?: Uint8Array[];
}

/** A file by its path. */
export interface NamedFile {
  /** Says that it is a file. */
  readonly type: 'file';
  /** Its path. */
  readonly fileName: string;
}

/** Where snarkjs reads: bytes, a path (in a page: a URL), or one of its file objects. */
export type InputFile = BinarySource | MemFile | BigMemFile | NamedFile;
/** Where snarkjs writes. */
export type OutputFile = string | MemFile | BigMemFile | NamedFile;

/** What snarkjs' calls take as a logger; calls that a logger lacks are left out. */
export interface Logger {
  /** Takes a line of the level `debug`. */
  debug?(message: string): void;
  /** Takes a line of the level `info`. */
  info?(message: string): void;
  /** Takes a line of the level `warn`. */
  warn?(message: string): void;
  /** Takes a line of the level `error`. */
  error?(message: string): void;
}

/**
 * A linear combination of wires: the coefficient of each. On the curves of snarkjs a coefficient is little-endian bytes
 * times R mod r, as ffjavascript has it; in other fields it is a BigInt.
 */
export type SnarkjsLinearCombination = Record<string, Uint8Array | bigint>;

/**
 * The former name of `SnarkjsLinearCombination`.
 *
 * @deprecated Removed in the version after 0.1; write `SnarkjsLinearCombination`.
 */
export type SnarkjsSum = SnarkjsLinearCombination;

/** What `r1cs.info` of snarkjs gives, without the objects `curve` and `F` of ffjavascript. */
export interface SnarkjsR1cs {
  /** Bytes of a value. */
  n8: number;
  /** The modulus of the field. */
  prime: bigint;
  /** The number of wires, the constant one included. */
  nVars: number;
  /** The number of public outputs. */
  nOutputs: number;
  /** The number of public inputs. */
  nPubInputs: number;
  /** The number of private inputs. */
  nPrvInputs: number;
  /** The number of signals before the compiler has simplified the circuit. */
  nLabels: number;
  /** The number of constraints. */
  nConstraints: number;
  /** Whether it uses custom gates. */
  useCustomGates: boolean;
  /** The constraints: a times b is c. */
  constraints: [a: SnarkjsLinearCombination, b: SnarkjsLinearCombination, c: SnarkjsLinearCombination][];
  /** None: Groth16 has no custom gates. */
  customGates: never[];
  /** None. */
  customGatesUses: never[];
}

/** What `r1cs.exportJson` of snarkjs gives: as `r1cs.info`, with numbers of the field as decimal strings. */
export interface SnarkjsR1csJson extends Omit<SnarkjsR1cs, 'prime' | 'constraints'> {
  /** The modulus of the field. */
  prime: string;
  /** The constraints: a times b is c, each a linear combination with the coefficient of each wire. */
  constraints: [a: Record<string, string>, b: Record<string, string>, c: Record<string, string>][];
  /** The label of each wire, by which a .sym file names it. */
  map: number[];
}

/** An entry of a proving key's matrices. */
export interface SnarkjsKeyCoefficient {
  /** 0 for A, 1 for B. */
  matrix: number;
  /** The number of the constraint. */
  constraint: number;
  /** The number of the signal. */
  signal: number;
  /** The coefficient, from 0 to r - 1. */
  value: string;
}

/**
 * What `zKey.exportJson` of snarkjs gives for a key of Groth16. Numbers of the fields are decimal strings, points are
 * projective: [x, y, "1"], infinity ["0", "1", "0"], and in G2 each coordinate is a pair.
 */
export interface SnarkjsKeyJson {
  /** The proof system. */
  protocol: 'groth16';
  /** Bytes of a coordinate. */
  n8q: number;
  /** The modulus of coordinates. */
  q: string;
  /** Bytes of a scalar. */
  n8r: number;
  /** The modulus of scalars. */
  r: string;
  /** The number of values of a witness, the constant one included. */
  nVars: number;
  /** The number of public signals. */
  nPublic: number;
  /** The size of the domain of constraints, a power of 2. */
  domainSize: number;
  /** The base-2 logarithm of `domainSize`. */
  power: number;
  /** Alpha in G1. */
  vk_alpha_1: string[];
  /** Beta in G1. */
  vk_beta_1: string[];
  /** Beta in G2. */
  vk_beta_2: string[][];
  /** Gamma in G2. */
  vk_gamma_2: string[][];
  /** Delta in G1. */
  vk_delta_1: string[];
  /** Delta in G2. */
  vk_delta_2: string[][];
  /** A point for the constant one and for each public signal. */
  IC: string[][];
  /** The entries of the matrices A and B. */
  ccoefs: SnarkjsKeyCoefficient[];
  /** A point of A for each signal. */
  A: string[][];
  /** A point of B in G1 for each signal. */
  B1: string[][];
  /** A point of B in G2 for each signal. */
  B2: string[][][];
  /** A point of C for each private signal; the places of the constant one and the public signals are empty. */
  C: string[][];
  /** The points of H. */
  hExps: string[][];
}

/** A proof as snarkjs gives it. */
export interface SnarkjsProof {
  /** A, a point of G1. */
  pi_a: string[];
  /** B, a point of G2. */
  pi_b: string[][];
  /** C, a point of G1. */
  pi_c: string[];
  /** `groth16`. */
  protocol: string;
  /** `bn128` or `bls12381`. */
  curve: string;
}

/** A proof as `plonk` of snarkjs gives it. */
export type SnarkjsPlonkProof = { -readonly [Name in keyof PlonkProof]: PlonkProof[Name] };

/** A proof as `fflonk` of snarkjs gives it. */
export type SnarkjsFflonkProof = { -readonly [Name in keyof FflonkProof]: FflonkProof[Name] };

/** What `prove` and `fullProve` of `groth16` give; of `plonk` and `fflonk`, with their proofs. */
export interface SnarkjsProofResult<Proof = SnarkjsProof> {
  /** The proof. */
  proof: Proof;
  /** The public signals as decimal strings. */
  publicSignals: string[];
}
