import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALIAS_CONSUMERS } from '../../../scripts/consumers/alias-list.mjs';
import { CONSUMERS } from '../../../scripts/consumers/list.mjs';
import { root } from '../../support/root.js';

it('names each consumer once, with sources that exist and versions that are pinned', () => {
  const all = [...CONSUMERS, ...ALIAS_CONSUMERS];
  const names = all.map((consumer) => consumer.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { folders, packages } of all) {
    for (const folder of folders) expect(existsSync(join(root, 'tests', 'consumers', folder)), folder).toBe(true);
    for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});
