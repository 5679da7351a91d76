export type { CircuitInputs, Groth16Proof } from './api.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export {
  type AskOptions,
  type ConnectOptions,
  connectProver,
  type ProverConnection,
  type WebviewProof,
} from './webview/connect-prover.js';
export { type HostMessage, type PageMessage, PROTOCOL_VERSION, type ProofState } from './webview/protocol.js';
