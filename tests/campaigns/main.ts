import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { CAMPAIGNS } from './all.js';
import type { Tier } from './campaign.js';
import { runCampaign } from './run-campaign.js';

/** Milliseconds between two lines about how far it is. */
const TELL_EVERY_MS = 10_000;

/** `npm run campaign`: see scripts/campaign.mjs. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      cases: { type: 'string' },
      minutes: { type: 'string' },
      tier: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const [name = ''] = positionals;
  const load = CAMPAIGNS[name];
  if (load === undefined) {
    throw new Error(`expected a campaign of ${Object.keys(CAMPAIGNS).join(', ')}; got ${JSON.stringify(name)}`);
  }
  const campaign = await load();
  const tier = (values.tier ?? campaign.tiers[0]) as Tier;
  if (!campaign.tiers.includes(tier)) throw new Error(`expected --tier ${campaign.tiers.join(' or ')}, got ${tier}`);
  const seed = numberOf('seed', values.seed);
  const first = numberOf('first', values.first);
  const cases = values.cases === undefined ? campaign.full : numberOf('cases', values.cases);

  const limit = values.minutes === undefined ? {} : { limitMs: 60_000 * numberOf('minutes', values.minutes) };

  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`;
  console.log(`${name} on ${tier}: ${campaign.about}\n${new Date().toISOString().slice(0, 10)}, ${machine}`);
  let toldAt = performance.now();
  const report = await runCampaign(campaign, {
    tier,
    seed,
    first,
    cases,
    ...limit,
    onCase: (done, failed) => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      console.log(`  ${done} of ${cases}, ${failed} failed`);
    },
    onFailure: ({ index, message }) => {
      console.log(`case ${index}: ${message}`);
      console.log(`  again: npm run campaign -- ${name} --tier ${tier} --seed ${seed} --first ${index} --cases 1`);
    },
  });
  for (const { message } of report.failures.filter(({ index }) => index === undefined)) console.log(message);
  for (const [kind, count] of Object.entries(report.counts)) console.log(`  ${String(count).padStart(9)} ${kind}`);
  for (const [figure, value] of Object.entries(report.figures)) console.log(`  ${figure}: ${value}`);
  console.log(
    `${name} on ${tier}, seed ${seed}: ${report.cases} cases, ${report.failures.length} failed, ${report.seconds.toFixed(0)} s`,
  );
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ name, tier, seed, first, machine, ...report }, undefined, 1)}\n`);
  }
  // A case that hangs must not keep the process.
  process.exit(report.failures.length === 0 ? 0 : 1);
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text !== '' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`expected --${option} with an integer of at least 0, got ${JSON.stringify(text)}`);
}

await main();
