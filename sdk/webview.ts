export type { CircuitInputs, Groth16Proof } from './api.js';
export { PippinError, type PippinErrorCode } from './errors.js';
export type { DeviceBudget } from './webview/device-budget.js';
export { findHostChannel, type HostChannel, type HostKind } from './webview/host-channel.js';
export type { WebviewCircuit } from './webview/page-prover.js';
export type { BackgroundPolicy } from './webview/proof-server.js';
export { type HostMessage, type PageMessage, PROTOCOL_VERSION, type ProofState } from './webview/protocol.js';
export { type ProverService, type ServeOptions, serveProver } from './webview/serve-prover.js';
