export {
  arkworksVerificationKey,
  type CompressionOptions,
  type EncodedProof,
  suiVerificationKey,
  toArkworks,
  toSui,
} from './arkworks.js';
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
export { type GnarkProof, toGnark } from './gnark.js';
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
export { type SolanaProof, type SolanaVerificationKey, solanaVerificationKey, toSolana } from './solana.js';
