import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spendFromFiles } from './from-files.js';

test('spends a note', async () => {
  const result = await spendFromFiles();
  expect(result.verified).toBe(true);
  writeFileSync('result.json', JSON.stringify(result));
}, 60_000);
