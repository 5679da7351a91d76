import type { Groth16VerificationKeyJson } from '../../api/index.js';
import type { CircuitInfo } from '../queue/types.js';

/** A file of a circuit: where workers read it, and what it must be. */
export interface CircuitFile {
  /** A path, or a URL (`https://`, `http://`, `file://`). Relative paths are relative to the working directory, in a configuration file to its folder. */
  readonly source: string | URL;
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly sha256: string;
  /** The most bytes that a worker downloads of a key or WASM at a URL, as `LoadOptions.maxBytes`. */
  readonly maxBytes?: number;
}

/** What is registered of a circuit, once for all its jobs. */
export interface CircuitRegistration {
  /** 1 to 64 of the characters A-Z a-z 0-9 _ and -. */
  readonly id: string;
  readonly zkey: CircuitFile;
  /** The circuit's witness WASM. Without it jobs must hold a witness. */
  readonly wasm?: CircuitFile;
  /** The verification key in snarkjs' JSON form, against which every proof is verified before it is returned. */
  readonly verificationKey: CircuitFile;
}

/** A registered circuit, with what was read of its files. It is plain data, which goes to the worker processes. */
export interface RegisteredCircuit {
  readonly info: CircuitInfo;
  readonly zkey: LocatedFile;
  readonly wasm: LocatedFile | undefined;
  readonly verificationKey: Groth16VerificationKeyJson;
}

/** A file with an absolute path or URL. */
export interface LocatedFile {
  readonly source: string;
  readonly sha256: string;
  readonly maxBytes?: number;
  /** Its size; undefined where a server does not say it. */
  readonly bytes: number | undefined;
}
