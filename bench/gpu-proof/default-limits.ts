/**
 * The environment variable that, when it is set, gives the prover's GPU device no more than WebGPU's default limits.
 */
export const DEFAULT_LIMITS = 'GPU_PROOF_DEFAULT_LIMITS';
