import { describe, expect, test } from 'vitest';
import { firstOf } from '../support/combinations.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { CAMPAIGNS } from './all.js';
import type { Tier } from './campaign.js';
import { runCampaign } from './run-campaign.js';

/**
 * A few cases of each campaign that has some, on its first tier with such. `npm run test:all` tries each tier and four
 * times as many cases, and `npm run campaign -- NAME` runs more.
 */
for (const [name, load] of Object.entries(CAMPAIGNS)) {
  const campaign = await load();
  const { short, tiers } = campaign;
  const casesOn = (tier: Tier): number => {
    const cases = typeof short === 'number' ? short : short[tier];
    return EVERY_COMBINATION ? cases : Math.ceil(cases / 4);
  };
  const tried = firstOf(tiers.filter((tier) => casesOn(tier) > 0));
  // The cases of some take minutes.
  if (tried.length === 0) continue;
  describe(`campaign ${name}`, () => {
    test.each(tried)('%s', async (tier) => {
      const cases = casesOn(tier);
      const report = await runCampaign(campaign, { tier, seed: 1, cases });
      expect(report.failures).toEqual([]);
      expect(report.cases).toBe(cases);
    });
  });
}
