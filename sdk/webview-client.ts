export type { CircuitInputs, Groth16Proof } from './api/index.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export {
  type AskOptions,
  type ConnectOptions,
  connectProver,
  type ProverConnection,
  type WebviewProof,
} from './hosts/webview/connect-prover.js';
export { type HostMessage, type PageMessage, PROTOCOL_VERSION, type ProofState } from './hosts/webview/protocol.js';
