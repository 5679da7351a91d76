import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSUMERS } from '../../scripts/consumers/list.mjs';
import { root } from '../support/root.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages whose files `npm run test:consumers` builds, and the consumer that does. */
const PAGES = {
  'guide/vue.md': { consumer: 'vue', files: ['guide/note-prover.js', 'vue/SpendNote.vue', 'vue/vite.config.js'] },
  'guide/svelte.md': {
    consumer: 'svelte',
    files: ['guide/note-prover.js', 'svelte/SpendNote.svelte', 'svelte/vite.config.js'],
  },
  'guide/nextjs.md': { consumer: 'next-guide', files: ['guide/note-prover.js', 'next-guide/app/page.jsx'] },
};

describe.each(Object.entries(PAGES))('docs/%s', (page, { consumer, files }) => {
  const text = read(`docs/${page}`);

  it.each(files)('shows tests/consumers/%s as it is built', (file) => {
    expect(text).toContain(`\n${read(`tests/consumers/${file}`)}\`\`\``);
  });

  it('names the versions with which it was tried, and the command', () => {
    const { packages } = CONSUMERS.find(({ name }) => name === consumer)!;
    for (const [name, version] of Object.entries(packages)) {
      if (!name.includes('plugin') && name !== 'react-dom') expect(text, name).toContain(version);
    }
    expect(text).toContain(`npm run test:consumers -- --only ${consumer}`);
  });
});
