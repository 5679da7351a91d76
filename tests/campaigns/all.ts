import type { Campaign } from './campaign.js';

/** All campaigns by name. A new one is a file and a line here. */
export const CAMPAIGNS: Readonly<Record<string, () => Promise<Campaign>>> = {
  'altered-cache': async () => (await import('./altered-cache.js')).alteredCache,
  'ceremony-keys': async () => (await import('./ceremony-keys.js')).ceremonyKeys,
  'ceremony-keys-bls12-381': async () => (await import('./ceremony-keys.js')).ceremonyKeysBls12381,
  circuits: async () => (await import('./circuits.js')).circuits,
  'farm-chaos': async () => (await import('./farm-chaos.js')).farmChaos,
  'large-msm': async () => (await import('./msm.js')).largeMsm,
  mutants: async () => (await import('./mutants.js')).mutants,
  parsers: async () => (await import('./parsers.js')).parsers,
  sums: async () => (await import('./msm.js')).msm,
  'sha256-plonk': async () => (await import('./sha256-universal.js')).sha256Plonk,
  'sha256-fflonk': async () => (await import('./sha256-universal.js')).sha256Fflonk,
  'shared-cache': async () => (await import('./shared-cache.js')).sharedCache,
  verify: async () => (await import('./verify.js')).verify,
  'universal-keys': async () => (await import('./universal-keys.js')).universalKeys,
  'verify-universal': async () => (await import('./verify-universal.js')).verifyUniversal,
  proofs: async () => (await import('./proofs.js')).proofs,
  provers: async () => (await import('./provers.js')).provers,
  'farm-requests': async () => (await import('./farm-requests.js')).farmRequests,
  witness: async () => (await import('./witness.js')).witness,
  faults: async () => (await import('./faults.js')).faults,
};
