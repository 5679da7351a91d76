import type { Campaign } from './campaign.js';

/** All campaigns by name. A new one is a file and a line here. */
export const CAMPAIGNS: Readonly<Record<string, () => Promise<Campaign>>> = {
  circuits: async () => (await import('./circuits.js')).circuits,
  proofs: async () => (await import('./proofs.js')).proofs,
  provers: async () => (await import('./provers.js')).provers,
};
