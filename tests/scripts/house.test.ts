import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { measureHouse } from '../../scripts/house/measures.mjs';

const house = mkdtempSync(join(tmpdir(), 'pippin-house-'));
afterAll(() => rmSync(house, { recursive: true }));

function write(file: string, ...lines: string[]): void {
  mkdirSync(join(house, dirname(file)), { recursive: true });
  writeFileSync(join(house, file), lines.map((line) => `${line}\n`).join(''));
}

write('rolldown.config.ts', "export default { input: 'sdk/index.ts' };");
write('dist/chunk-a.js');
write('dist/chunk-a.js.map');
write('dist/index.js');
write('workers/kernel.ts', "import '../sdk/curves/bn254.js';");
write('sdk/index.ts', "export { open } from './hosts/page.js';", "export { open as start } from './hosts/node.js';");
write('sdk/loose.ts', '// Groth16, FFLONK');
write('sdk/hosts/page.ts', 'export const open = 1, close = 2;', "export { sum } from '../curves/bn254.js';");
write(
  'sdk/hosts/node.ts',
  'export function open() {}',
  'export type close = 1;',
  "const fs = await import('node:fs');",
);
write('sdk/api/keys.ts', "type T = 'groth16' | 'fflonk';");
write('sdk/hosts/queue/api.ts', ...Array(15).fill('// groth16'));
write('sdk/proofs/groth16/prove.ts', "const name = 'groth16';", 'export class sum {}');
write(
  'sdk/proofs/registry.ts',
  "const system = () => import('./groth16/prove.js');",
  'type T = import("./groth16/prove.js").sum;',
);
write(
  'sdk/curves/bn254.ts',
  'export const curve = { add(a, b, c, d, e, f) {}, sub: (a, b, c, d, e) => {} };',
  "export const systems = ['fflonk'];",
  'export interface Curve { sum(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1): void }',
  ...Array(12).fill('// FFLONK'),
);
write('sdk/curves/generated/fields.ts', 'export function curve(a, b, c, d, e, f) {}');
for (let i = 0; i < 26; i++) write(`sdk/many/${i}.ts`, ...Array(15).fill('// line'));

const found = Object.fromEntries(measureHouse(house).map((measure) => [measure.measure, measure.found]));

it.each([
  ['sdk: lines', 2 + 1 + 2 + 3 + 1 + 15 + 2 + 2 + 15 + 26 * 15],
  ['sdk: files', 9 + 26],
  [
    'files of less than 15 lines',
    ['api/keys', 'hosts/node', 'hosts/page', 'index', 'loose', 'proofs/groth16/prove', 'proofs/registry'].map(
      (name) => `sdk/${name}.ts`,
    ),
  ],
  ['files with exactly one importer', ['sdk/hosts/node.ts', 'sdk/hosts/page.ts', 'sdk/proofs/groth16/prove.ts']],
  ['folders of more than 25 files', ['sdk/many (26)']],
  ["files loose in sdk's root that are no entries", ['sdk/loose.ts']],
  // The entry gives `open` of both; `sum` of the page is a re-export that another file declares.
  ['exported names that exist twice', ['close: sdk/hosts/node.ts, sdk/hosts/page.ts']],
  ['files that name Groth16 outside its folders, the entries and the API', ['sdk/proofs/registry.ts']],
  ['files that name FFLONK in code outside its folder, the registry, the entries and the API', ['sdk/curves/bn254.ts']],
  ['dynamic imports', ["sdk/proofs/registry.ts: './groth16/prove.js'"]],
  ['chunks in dist', ['chunk-a.js']],
  ['functions of more than 5 parameters', ['sdk/curves/bn254.ts:1 add (6)']],
])('counts %s', (measure, expected) => {
  expect(found[measure]).toEqual(expected);
});

it('measures nothing else', () => {
  expect(Object.keys(found)).toHaveLength(12);
});
