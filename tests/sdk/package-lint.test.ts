import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOf } from '../../scripts/lib/run.mjs';
import { npm } from '../../scripts/release/npm.mjs';
import { root } from '../support/root.js';

/** What publint and are-the-types-wrong say of each package as npm packs it. */
describe.each([
  ['pippin-prover', root],
  ['pippin-farm', join(root, 'farm')],
])('%s', (_, place) => {
  let folder: string;
  let tarball: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pippin-packed-'));
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], place);
    tarball = join(folder, readdirSync(folder)[0]!);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('publint finds nothing', async () => {
    const { buffer } = new Uint8Array(readFileSync(tarball));
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
    // `browser` is for CDNs and tools that read no `exports`, so that they do not take the build for Node.
    const found = messages.filter(({ code }) => code !== 'USE_EXPORTS_BROWSER');
    expect(found.map((message) => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });

  it('are-the-types-wrong finds types for every script that can be imported', () => {
    const { exports } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    // The WASM and JSON are files for a bundler to copy.
    const scripts = Object.keys(exports).filter((name) => !/\.(wasm|json)$/.test(name));
    // The package has ES modules alone; Node's `require` takes them since 20.19. All other rules hold, for every
    // resolution that TypeScript has: node10, node16 from CommonJS and from modules, and bundlers.
    const rules = ['--ignore-rules', 'cjs-resolves-to-esm'];
    const args = [tarball, '--profile', 'strict', '--format', 'json', ...rules, '--entrypoints', ...scripts];
    const output = execFileSync(process.execPath, [commandOf('@arethetypeswrong/cli', 'attw'), ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    const { analysis } = JSON.parse(output);
    expect(Object.keys(analysis.entrypoints).sort()).toEqual(scripts.sort());
  });
});
