import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  cycles,
  type ImportGraph,
  readImportGraph,
  readSource,
  sourceFiles,
  stringLiterals,
} from '../scripts/lib/import-graph.mjs';
import * as curves from '../sdk/curves/index.js';
import { root } from './support/root.js';

/**
 * The house's plan (docs/architecture.md), read from all imports, also of types: arrows point one way, as `FLOORS`
 * lists them from the bottom up, and no file reaches itself.
 */

const { CURVES } = curves;

const graph = readImportGraph(['sdk', 'workers']);

/** What an executor is, and what it is given: the part of sdk/bases that executors know. */
const EXECUTOR_CONTRACT = ['backend', 'digits', 'multiples', 'prepared', 'scalar-vector', 'scalars'].map(
  (name) => `sdk/bases/${name}.ts`,
);

/**
 * The rooms from the bottom up; a file belongs to the first that it begins with. A file imports from its own floor and
 * those below.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['sdk/base/', 'shaders/'],
  ['sdk/curves/'],
  // Names and types of the public API, and the names of a proof's parts in it.
  ['sdk/api/', 'sdk/proofs/parts.ts', ...['groth16', 'universal'].map((name) => `sdk/proofs/${name}/parts.ts`)],
  // The table of recovery and its loop, which everything that computes is given to; what an executor does with
  // polynomials.
  ['sdk/transport/', 'sdk/files/', 'sdk/recovery/', 'sdk/polynomials/', ...EXECUTOR_CONTRACT],
  ['sdk/executors/'],
  ['sdk/bases/'],
  ['sdk/proofs/'],
  ['sdk/engine/'],
  ['sdk/hosts/', 'sdk/encodings/', 'sdk/ceremony/'],
  ['sdk/', 'workers/'],
];

/** The packages whose code is in the scripts that ship. The build checks their licences. */
const BUNDLED = ['comlink', 'idb-keyval', '@noble/hashes'];

function floorOf(file: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.some((room) => file.startsWith(room)));
  if (floor < 0) throw new Error(`expected ${file} to be in a room, got none`);
  return floor;
}

/** Files by their folders, packages by their names. */
const isFile = (imported: string): boolean => /\.(ts|wgsl)$/.test(imported);

/** Imports that break a rule, as `importer -> imported`. */
function imports(of: ImportGraph, breaks: (from: string, to: string) => boolean): string[] {
  return [...of].flatMap(([from, all]) => all.filter((to) => breaks(from, to)).map((to) => `${from} -> ${to}`));
}

describe('the imports of sdk/ and workers/', () => {
  it('are of files that exist', () => {
    expect(imports(graph, (_, to) => to.endsWith('.ts') && !to.startsWith('shaders/') && !graph.has(to))).toEqual([]);
  });

  it('have no cycles', () => {
    expect(cycles(graph)).toEqual([]);
  });

  it('point downwards', () => {
    const upwards = (from: string, to: string): boolean => isFile(to) && floorOf(to) > floorOf(from);
    expect(imports(graph, upwards)).toEqual([]);
  });

  it('keep the GPU and the workers apart', () => {
    const across = (from: string, to: string): boolean =>
      (from.startsWith('sdk/executors/gpu/') && to.startsWith('sdk/executors/workers/')) ||
      (from.startsWith('sdk/executors/workers/') && to.startsWith('sdk/executors/gpu/'));
    expect(imports(graph, across)).toEqual([]);
  });

  it('leave the shaders to the GPU', () => {
    const foreign = (from: string, to: string): boolean =>
      to.startsWith('shaders/') && !from.startsWith('sdk/executors/gpu/');
    expect(imports(graph, foreign)).toEqual([]);
  });

  it('bring nothing but each other and sdk/base into sdk/curves', () => {
    const isOwn = (file: string): boolean => /^sdk\/(curves|base)\//.test(file);
    expect(imports(graph, (from, to) => from.startsWith('sdk/curves/') && !isOwn(to))).toEqual([]);
  });

  it('keep sums out of sdk/executors/gpu/runtime', () => {
    const sums = (from: string, to: string): boolean =>
      from.startsWith('sdk/executors/gpu/runtime/') && /^sdk\/(executors\/(?!gpu\/runtime\/)|bases\/)/.test(to);
    expect(imports(graph, sums)).toEqual([]);
  });

  it('bring in no package but the optional ones of an installation and those that are bundled, and none under GPL', () => {
    const { name, dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    // The hooks import the package by its name: a bundler takes the entry for its platform then.
    const installed = [name, ...Object.keys({ ...dependencies, ...peerDependencies }), ...BUNDLED];
    const foreign = (_: string, to: string): boolean =>
      !isFile(to) && !to.startsWith('node:') && !installed.includes(to);
    expect(imports(graph, foreign)).toEqual([]);
    for (const name of ['snarkjs', 'ffjavascript', '@noble/curves']) expect(installed).not.toContain(name);
  });
});

describe('the imports of farm/', () => {
  const farm = readImportGraph(['farm/src']);

  it('have no cycles', () => {
    expect(cycles(farm)).toEqual([]);
  });

  it('are of each other, of the SDK by its name, of the packages that are installed with it, and of helpers in sdk/base', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}/farm/package.json`, 'utf8'));
    const installed = ['pippin-prover', ...Object.keys(dependencies)];
    const foreign = (_: string, to: string): boolean =>
      isFile(to) ? !farm.has(to) && !graph.has(to) : !to.startsWith('node:') && !installed.includes(to);
    expect(imports(farm, foreign)).toEqual([]);
    expect(imports(farm, (_, to) => isFile(to) && !/^(farm\/src|sdk\/base)\//.test(to))).toEqual([]);
    // The class of errors is that of the SDK which is installed.
    expect(imports(farm, (_, to) => to === 'sdk/base/errors.ts')).toEqual([]);
  });
});

it('the examples import the package, and nothing from behind it', () => {
  const examples = readImportGraph(['examples']);
  const behind = (_: string, to: string): boolean => isFile(to) && !to.startsWith('examples/');
  expect(imports(examples, behind)).toEqual([]);
  expect(imports(examples, (_, to) => to === 'pippin-prover')).not.toEqual([]);
});

it('no file asks which curve it has: outside sdk/curves only encodings name curves, as far as other libraries have them', () => {
  const ids = Object.keys(CURVES);
  const values: readonly unknown[] = Object.values(CURVES);
  const constants = Object.entries(curves).flatMap(([name, value]) => (values.includes(value) ? [name] : []));
  expect(constants).toHaveLength(ids.length);
  const imported = new RegExp(`import \\{[^}]*\\b(${constants.join('|')})\\b[^}]*\\} from '[^']*/curves/`);
  const member = new RegExp(`\\bCURVES\\.(${ids.filter((id) => /^\w+$/.test(id)).join('|')})\\b`);
  const naming = sourceFiles('sdk').filter((file) => {
    if (/^sdk\/(curves|encodings)\/|\/generated\//.test(file)) return false;
    const source = readSource(file);
    if (imported.test(source) || member.test(source)) return true;
    return ids.some((id) => source.includes(id)) && stringLiterals(file).some((literal) => ids.includes(literal));
  });
  expect(naming).toEqual([]);
});

describe('the comments of sdk/, workers/, wasm/, shaders/ and farm/src/', () => {
  const shaders = readdirSync(`${root}/shaders`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.wgsl'))
    .map((name) => `shaders/${name}`);
  const files = [...['sdk', 'workers', 'wasm', 'farm/src'].flatMap((folder) => sourceFiles(folder)), ...shaders];
  const commentLines = (file: string): string[] =>
    readSource(file)
      .split('\n')
      .filter((line) => /^\s*(\/\/|\/?\*)/.test(line));

  it('wrap at 120 columns, generated files aside', () => {
    const long = files
      .filter((file) => !file.includes('/generated/'))
      .flatMap((file) => commentLines(file).filter((line) => line.length > 120));
    expect(long).toEqual([]);
  });

  it('name what they mean again, rather than "those of" and "that of"', () => {
    const vague = files.filter((file) => {
      const text = commentLines(file).map((line) => line.replace(/^\s*(\/\/|\/?\*+)\s*/, ''));
      return /\b(those|that) of\b/i.test(text.join(' '));
    });
    expect(vague).toEqual([]);
  });
});
