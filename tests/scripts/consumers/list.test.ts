import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONSUMERS } from '../../../scripts/consumers/list.mjs';
import { root } from '../../support/root.js';

it('names each consumer once, with sources that exist and versions that are pinned', () => {
  const names = CONSUMERS.map((consumer) => consumer.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { folders, packages } of CONSUMERS) {
    for (const folder of folders) expect(existsSync(join(root, 'tests', 'consumers', folder)), folder).toBe(true);
    for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});
