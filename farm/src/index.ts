/**
 * A prover farm on Node: see docs/server.md.
 *
 * @module farm
 */

export type {
  CircuitInputs,
  DeviceProcess,
  FflonkProof,
  FflonkVerificationKey,
  Groth16Proof,
  Groth16VerificationKey,
  PippinErrorCode,
  PlonkProof,
  PlonkVerificationKey,
  Proof,
  VerificationKey,
} from 'pippin-prover';
export { PippinError } from 'pippin-prover';
export type { CircuitFile, LocatedFile } from './circuits/circuit-file.js';
export { type CircuitRegistration, type RegisteredCircuit, readCircuits } from './circuits/circuits.js';
export { type ApiKey, newApiKey } from './front/api-keys.js';
export { createFront } from './front/create-front.js';
export type { FrontOptions, FrontQueue, ProofVerifier } from './front/options.js';
export type { Problem, ProblemCode, RequestErrorCode } from './front/problem.js';
export { Farm, type FarmOptions } from './processes/farm.js';
export { gpuProcesses } from './processes/gpu-processes.js';
export { ProofQueue } from './queue/proof-queue.js';
export type { ProofQueueOptions } from './queue/queue-options.js';
export type * from './queue/types.js';
export type { RedisAddress, RedisOptions } from './redis/connection.js';
export { type DevelopmentRedis, type DevelopmentRedisOptions, startRedis } from './redis/development.js';
export { type KeyPair, makeKeyPair, readKeyPair, writeKeyPair } from './sealing/key-pair.js';
export { ProofWorker } from './worker/proof-worker.js';
export type { WorkerEvent, WorkerOptions } from './worker/worker-options.js';
