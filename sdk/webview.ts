export type { CircuitInputs, Groth16Proof } from './api/index.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export type { DeviceBudget } from './hosts/webview/device-budget.js';
export { findHostChannel, type HostChannel, type HostKind } from './hosts/webview/host-channel.js';
export type { WebviewCircuit } from './hosts/webview/page-prover.js';
export type { BackgroundPolicy } from './hosts/webview/proof-server.js';
export { type HostMessage, type PageMessage, PROTOCOL_VERSION, type ProofState } from './hosts/webview/protocol.js';
export { type ProverService, type ServeOptions, serveProver } from './hosts/webview/serve-prover.js';
