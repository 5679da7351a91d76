import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSUMERS } from '../../scripts/consumers/list.mjs';
import { root } from '../support/root.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages whose files `npm run test:consumers` builds, and the consumer that does. */
const PAGES = {
  'guide/vue.md': { consumer: 'vue', files: ['vue/SpendNote.vue', 'vue/vite.config.js'] },
  'guide/svelte.md': { consumer: 'svelte', files: ['svelte/SpendNote.svelte', 'svelte/vite.config.js'] },
  'guide/nextjs.md': { consumer: 'next-guide', files: ['next-guide/app/page.jsx'] },
};

/** The module that all of them import, and the page that shows it. */
const SHARED = { page: 'guide/start-page.md', file: 'guide/note-prover.js', anchor: '#one-prover-for-an-application' };

const shows = (page: string, file: string): void =>
  expect(read(`docs/${page}`)).toContain(`\n${read(`tests/consumers/${file}`)}\`\`\``);

it(`docs/${SHARED.page} shows tests/consumers/${SHARED.file} as it is built`, () => shows(SHARED.page, SHARED.file));

describe.each(Object.entries(PAGES))('docs/%s', (page, { consumer, files }) => {
  const text = read(`docs/${page}`);

  it.each(files)('shows tests/consumers/%s as it is built', (file) => shows(page, file));

  it('leads to the module that it imports', () => {
    expect(text).toContain(`(${SHARED.page.replace('guide/', '')}${SHARED.anchor})`);
  });

  it('names the versions with which it was tried, and the command', () => {
    const { packages } = CONSUMERS.find(({ name }) => name === consumer)!;
    for (const [name, version] of Object.entries(packages)) {
      if (!name.includes('plugin') && name !== 'react-dom') expect(text, name).toContain(version);
    }
    expect(text).toContain(`npm run test:consumers -- --only ${consumer}`);
  });
});
