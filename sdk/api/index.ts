export type {
  AnyProveResult,
  Proof,
  ProofJson,
  ProveResultOf,
  ProvingKey,
  ProvingKeyLoadOptions,
  VerificationKey,
  VerificationKeyJson,
} from './any-system.js';
export type { AssetUrls, TrustedScriptUrl, WasmModule, WasmModuleName } from './assets.js';
export type { Bases, BasesRequest } from './bases.js';
export type { BinarySource, CallOptions, LoadOptions, NumberForm } from './call-options.js';
export type { Circuit, CircuitInput, CircuitInputs, CircuitLoadOptions, InputsOf } from './circuits.js';
export type { CallEnd, CallName, ProverEvent } from './events.js';
export type {
  Fflonk,
  FflonkKey,
  FflonkKeyLoadOptions,
  FflonkProof,
  FflonkProofJson,
  FflonkProveResult,
  FflonkVerificationKey,
  FflonkVerificationKeyJson,
} from './fflonk.js';
export type { Groth16 } from './groth16.js';
export type { AnyKeyLoadOptions, Groth16Key, KeyLoadOptions } from './keys.js';
export type {
  Kzg,
  KzgBatchOpening,
  KzgCommitBatchResult,
  KzgCommitResult,
  KzgOpenBatchOptions,
  KzgOpenBatchResult,
  KzgOpening,
  KzgOpenResult,
  KzgOptions,
  KzgPoint,
  KzgPoints,
  KzgSrs,
  KzgSrsLoadOptions,
  KzgVerificationKey,
} from './kzg.js';
export type {
  Coordinate,
  MsmBatchOptions,
  MsmBatchResult,
  MsmCheck,
  MsmOptions,
  MsmPoint,
  MsmResult,
  SumCheck,
} from './msm.js';
export type {
  AdapterTimes,
  MapMultiples,
  MapRow,
  MapTime,
  PerformanceMap,
  ProductTimes,
  TuneOptions,
} from './performance-map.js';
export type {
  Plonk,
  PlonkKey,
  PlonkKeyLoadOptions,
  PlonkProof,
  PlonkProofJson,
  PlonkProveResult,
  PlonkVerificationKey,
  PlonkVerificationKeyJson,
} from './plonk.js';
export type { BatchError, BatchResult, ProveOptions, ProveResult, VerifyOptions } from './proofs.js';
export type { Prover } from './prover.js';
export type { BackendChoice, DeviceProcess, ProverOptions } from './prover-options.js';
export type { Capabilities, MemoryPeaks, PhaseTimes, Report, WitnessArithmetic } from './reports.js';
export type {
  Groth16Proof,
  Groth16ProofJson,
  Groth16VerificationKey,
  Groth16VerificationKeyJson,
} from './snarkjs-json.js';
export type { Accumulation, DigitCutter, LoadTuning, MsmTuning, Precompute, Reduction } from './tuning.js';
