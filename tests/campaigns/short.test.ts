import { describe, expect, test } from 'vitest';
import { CAMPAIGNS } from './all.js';
import { runCampaign } from './run-campaign.js';

/** A few cases of each campaign, on each tier. `npm run campaign -- NAME` runs more. */
for (const [name, load] of Object.entries(CAMPAIGNS)) {
  const campaign = await load();
  describe(`campaign ${name}`, () => {
    test.each(campaign.shortTiers ?? campaign.tiers)('%s', async (tier) => {
      const report = await runCampaign(campaign, { tier, seed: 1, cases: campaign.short });
      expect(report.failures).toEqual([]);
      expect(report.cases).toBe(campaign.short);
    });
  });
}
