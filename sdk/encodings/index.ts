export {
  type EthereumProof,
  ethereumAbi,
  ethereumWords,
  type SolidityArguments,
  solidityArguments,
  solidityCalldata,
} from './ethereum.js';
export type { ExportVerificationKey, ReadInfo } from './file-functions.js';
export type { FileInfo, R1csInfo, WtnsInfo, ZkeyInfo } from './file-info.js';
export {
  arkworksVerificationKey,
  type CompressionOptions,
  type EncodedProof,
  suiVerificationKey,
  toArkworks,
  toSui,
} from './groth16/arkworks.js';
export { type GnarkProof, toGnark } from './groth16/gnark.js';
export { type SolanaProof, type SolanaVerificationKey, solanaVerificationKey, toSolana } from './groth16/solana.js';
export type {
  PackedKey,
  PackingOptions,
  PackKey,
  PackKeyOptions,
  UnpackedKey,
  UnpackKey,
} from './packing.js';
export type { ReadOptions } from './read-source.js';
export { checkInputs, checkWitness } from './requests.js';
