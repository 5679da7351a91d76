export type { AssetUrls, TrustedScriptUrl, WasmModule, WasmModuleName } from './api/assets.js';
export type { Bases, BasesRequest } from './api/bases.js';
export type { CallOptions, LoadOptions } from './api/call-options.js';
export type { Circuit, CircuitInput, CircuitInputs, CircuitLoadOptions, InputsOf } from './api/circuits.js';
export type { Groth16 } from './api/groth16.js';
export type { Groth16Key, KeyLoadOptions } from './api/keys.js';
export type { AdapterTimes, MapMultiples, MapRow, PerformanceMap, TuneOptions } from './api/performance-map.js';
export type { ProveOptions, ProveResult, VerifyOptions } from './api/proofs.js';
export type { Prover } from './api/prover.js';
export type { BackendChoice, DeviceProcess, ProverOptions } from './api/prover-options.js';
export type { Capabilities, Report } from './api/reports.js';
export type {
  Groth16Proof,
  Groth16ProofJson,
  Groth16VerificationKey,
  Groth16VerificationKeyJson,
} from './api/snarkjs-json.js';
export type { BinarySource, NumberForm } from './api/sources.js';
export type {
  Coordinate,
  MsmBatchOptions,
  MsmBatchResult,
  MsmOptions,
  MsmPoint,
  MsmResult,
  SumCheck,
} from './api/sums.js';
export type { Accumulation, DigitCutter, LoadTuning, MsmTuning, Precompute, Reduction } from './api/tuning.js';
