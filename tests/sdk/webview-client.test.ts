import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import { root } from '../support/root.js';

/**
 * The app's side of the webview bridge as it ships: React Native bundles it with Metro and runs it on Hermes, which have no `import.meta`, no DOM and
 * nothing of Node. It runs here in a realm of its own that has the language and timers alone.
 */

const source = readFileSync(`${root}/dist/webview-client.js`, 'utf8');

it('is one file without imports and import.meta', () => {
  expect(source).not.toMatch(/^import\b|\bimport\(|import\.meta/m);
});

it('asks, hears of progress and gives the proof in a realm with nothing but the language and timers', async () => {
  const script = source.replace(/export\s*\{([^}]*)\};?\s*$/, (_, exported: string) => {
    const members = exported.split(',').map((each) => each.trim().split(' as '));
    return `;({ ${members.map(([local, name = local]) => `${name}: ${local}`).join(', ')} });`;
  });
  const { connectProver } = runInContext(script, createContext({ console, setTimeout, clearTimeout }));
  const sent: { type: string; id: string }[] = [];
  const app = connectProver({ send: (text: string) => sent.push(JSON.parse(text)) });
  const say = (message: object): void => app.receive(JSON.stringify({ pippin: 1, ...message }));
  const fractions: number[] = [];
  const made = app.prove('note', { x: 1n }, { onProgress: (fraction: number) => fractions.push(fraction) });
  say({ type: 'ready', page: 'p', circuits: ['note'], proofs: [], memoryBudget: 1, threads: 1 });
  const { id } = sent.at(-1)!;
  say({ type: 'progress', id, attempt: 1, fraction: 0.5, phase: 'msm' });
  say({ type: 'result', id, circuit: 'note', proof: {}, publicSignals: ['1'], backend: 'wasm', ms: 1, attempts: 1 });
  expect((await made).publicSignals).toEqual(['1']);
  expect(fractions).toEqual([0.5]);
  expect(sent.map(({ type }) => type)).toEqual(['hello', 'prove', 'forget']);
});
