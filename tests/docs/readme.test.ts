import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/run.mjs';

it('is short, and shows code before anything else', () => {
  const lines = readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(130);
  expect(lines.findIndex((line) => line.startsWith('```ts'))).toBeLessThan(20);
});
