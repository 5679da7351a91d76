export type { AliasOptions } from './alias-prover.js';
export type { BigMemFile, InputFile, MemFile, NamedFile, OutputFile } from './files.js';
export type { Logger } from './logger.js';
export type { SnarkjsR1cs, SnarkjsSum } from './r1cs-json.js';
export type { SnarkjsProof, SnarkjsProofResult } from './snarkjs-proof.js';
