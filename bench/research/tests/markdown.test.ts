import { expect, it } from 'vitest';
import { markdownTables } from '../strategies/markdown.js';
import type { StrategyRow } from '../strategies/table.js';

it('gives a table for each curve, with gaps where nothing was timed', () => {
  const row = { curve: 'bn254', strategy: 'one', replaces: 'digits', windowBits: 9 } as const;
  const rows: StrategyRow[] = [
    { ...row, log: 16, distribution: 'uniform', times: [3, 1, 2] },
    { ...row, log: 16, distribution: 'clustered', times: [4] },
    { ...row, log: 18, distribution: 'uniform', times: [7], gpu: { sort: 1, accumulate: 2, reduce: 3.456 } },
    { ...row, log: 18, distribution: 'clustered', error: 'refused' },
    { ...row, curve: 'bls12-377', log: 16, distribution: 'uniform', times: [5] },
  ];
  expect(markdownTables(rows)).toBe(`### BN254

| Strategy | 2^16 uniform | 2^18 uniform | 2^18 32 distinct | c | sort, add, reduce |
| --- | --- | --- | --- | --- | --- |
| one | 2.00 | 7.00 | - | 9 | 1.00, 2.00, 3.46 |

### BLS12-377

| Strategy | 2^16 uniform | c | sort, add, reduce |
| --- | --- | --- | --- |
| one | 5.00 | 9 | - |
`);
});
