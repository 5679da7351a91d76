import type { Random } from '../support/random.js';

/** Who computes in a campaign: the workers, or the GPU. */
export type Tier = 'wasm' | 'webgpu';

/**
 * Many cases that are drawn from a seed, each of which must hold. `npm run campaign` runs as many as are asked for,
 * `npm test` a few of each campaign.
 */
export interface Campaign {
  /** What must hold in every case, in one sentence. */
  readonly about: string;
  /** On which tiers it runs. The first one is the default. */
  readonly tiers: readonly Tier[];
  /**
   * How many cases of a tier `npm test` runs: a few seconds' worth, or none where a software adapter would take longer.
   */
  readonly short: number | Readonly<Record<Tier, number>>;
  /** How many a full run has on each tier. docs/reliability.md gives the results. */
  readonly full: number;
  /** Milliseconds after which a case counts as hanging. Default 60,000. */
  readonly hangsAfterMs?: number;
  /** Makes what all cases share: keys, provers, a device. */
  open(tier: Tier): Promise<OpenCampaign>;
}

export interface OpenCampaign {
  /**
   * Runs one case, which depends on nothing but `random` and `index`, so that it can be repeated alone.
   *
   * @returns a name for each kind of thing that happened, for the counts of the report: `RESULT_INVALID`, `aborted`.
   * @throws if something did not hold.
   */
  run(random: Random, index: number): Promise<readonly string[]>;
  /**
   * What is measured over all cases so far, for the report: `{ 'RSS after 100, MB': 236 }`. Throws if a limit is
   * passed.
   */
  figures?(): Readonly<Record<string, number | string>>;
  close(): Promise<void>;
}
