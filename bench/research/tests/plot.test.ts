import { expect, it } from 'vitest';
import { plotRows } from '../strategies/plot.js';
import type { StrategyRow } from '../strategies/table.js';

const row = (strategy: string, replaces: string, log: number, ratio?: number): StrategyRow => ({
  curve: 'bn254',
  log,
  distribution: 'clustered',
  strategy,
  replaces,
  ...(ratio === undefined ? { error: 'not run' } : { times: [ratio], ratio }),
});

it('draws a line for each strategy of a part, with what was timed', () => {
  const svg = plotRows('BN254', [
    row('shipped', 'nothing', 16, 1),
    row('one', 'accumulation', 16, 0.8),
    row('one', 'accumulation', 18, 1000),
    row('two', 'reduction', 16, 2),
    row('two', 'reduction', 18),
  ]);
  expect(svg).toContain('accumulation: 32 distinct');
  expect(svg).toContain('one, 2^16: 0.80 ms, 0.80x');
  expect(svg).toContain('two, 2^16: 2.00 ms, 2.00x');
  expect(svg.match(/<circle/g)).toHaveLength(3);
  // A ratio beyond the panel is drawn at its edge.
  expect(svg).toMatch(/cy="0" r="2.5" fill="#0072b2"><title>one, 2\^18/);
  expect(svg.match(/<g /g)?.length).toBe(svg.match(/<\/g>/g)?.length);
});
