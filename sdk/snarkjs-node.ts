import { nodeAliasPlatform } from './platform/node-alias.js';
import { snarkjsAlias } from './snarkjs-alias/alias.js';

export type { BigMemFile, InputFile, MemFile, NamedFile, OutputFile } from './snarkjs-alias/files.js';
export type { Logger } from './snarkjs-alias/logger.js';
export type { SnarkjsR1cs, SnarkjsSum } from './snarkjs-alias/r1cs-json.js';
export type { AliasOptions } from './snarkjs-alias/shared-prover.js';
export type { SnarkjsProof, SnarkjsProofResult } from './snarkjs-alias/snarkjs-proof.js';

const alias = snarkjsAlias(nodeAliasPlatform);

export const { groth16, wtns, zKey, r1cs, curves, powersOfTau, plonk, fflonk, configure } = alias;
/** For what imports snarkjs as a whole, as code that was compiled from CommonJS does. */
export default alias;
