import type { Campaign } from './campaign.js';

/** All campaigns by name. A new one is a file and a line here. */
export const CAMPAIGNS: Readonly<Record<string, () => Promise<Campaign>>> = {
  circuits: async () => (await import('./circuits.js')).circuits,
  faults: async () => (await import('./faults.js')).faults,
};
