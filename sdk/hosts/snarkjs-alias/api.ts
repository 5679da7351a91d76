import type { BinarySource, ProverOptions } from '../../api/index.js';

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

/** What `groth16.prove` and `groth16.fullProve` give. */
export interface SnarkjsProofResult {
  /** The proof. */
  proof: SnarkjsProof;
  /** The public signals as decimal strings. */
  publicSignals: string[];
}
