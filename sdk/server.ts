export type { CircuitInputs, DeviceProcess, Groth16Proof, Groth16VerificationKey } from './api/index.js';
export { PippinError, type PippinErrorCode } from './base/errors.js';
export { readCircuits } from './server/circuits/read-circuits.js';
export type {
  CircuitFile,
  CircuitRegistration,
  LocatedFile,
  RegisteredCircuit,
} from './server/circuits/registration.js';
export { Farm, type FarmOptions } from './server/farm/farm.js';
export { gpuProcesses } from './server/farm/gpu-processes.js';
export {
  type ApiKey,
  createFront,
  type FrontOptions,
  type FrontQueue,
  newApiKey,
  type Problem,
  type ProblemCode,
  type RequestErrorCode,
} from './server/front/index.js';
export { ProofQueue } from './server/queue/proof-queue.js';
export type { ProofQueueOptions } from './server/queue/queue-options.js';
export type * from './server/queue/types.js';
export type { RedisAddress, RedisOptions } from './server/redis/address.js';
export { type DevelopmentRedis, type DevelopmentRedisOptions, startRedis } from './server/redis/development.js';
export { type KeyPair, makeKeyPair, readKeyPair, writeKeyPair } from './server/sealing/key-pair.js';
export { ProofWorker } from './server/worker/proof-worker.js';
export type { WorkerEvent } from './server/worker/worker-event.js';
export type { WorkerOptions } from './server/worker/worker-options.js';
