import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../sdk/curves/index.js';
import { cycles, type ImportGraph, readImportGraph, sourceFiles, stringLiterals } from './support/import-graph.js';
import { root } from './support/root.js';

/**
 * The house's plan (docs/architecture.md), read from the imports, those of types included: arrows point one way,
 *
 *     examples -> entries -> engine -> proofs -> msm -> (gpu | cpu) -> (shaders | wasm)
 *
 * and no file reaches itself.
 */

const graph = readImportGraph(['sdk', 'workers']);

/** What a backend of multi-scalar multiplication is, and what it is given: the part of sdk/msm that backends know. */
const MSM_CONTRACT = ['backend', 'digits', 'multiples', 'prepared', 'scalar-vector', 'scalars', 'tuning'].map(
  (name) => `sdk/msm/${name}.ts`,
);

/**
 * The rooms from the bottom up; a file belongs to the first that it begins with. A file imports from its own floor and those
 * below.
 */
const FLOORS: readonly (readonly string[])[] = [
  [
    'sdk/errors.ts',
    'sdk/abort.ts',
    'sdk/within.ts',
    'sdk/under-way.ts',
    'sdk/describe.ts',
    'sdk/is-object.ts',
    'sdk/load-part.ts',
    'sdk/plain-error.ts',
    'shaders/',
  ],
  ['sdk/curves/', 'sdk/field/'],
  // Words that all share: names and types of the public API, and the names of a proof's parts in it.
  ['sdk/api.ts', 'sdk/api/', 'sdk/progress.ts', 'sdk/proofs/parts.ts', 'sdk/proofs/groth16/parts.ts'],
  ['sdk/transport/', 'sdk/io/', 'sdk/cache/', ...MSM_CONTRACT],
  ['sdk/gpu/', 'sdk/cpu/', 'sdk/snarkjs/'],
  ['sdk/msm/'],
  ['sdk/proofs/'],
  ['sdk/engine/'],
  // The entries, and what puts the parts together for a browser and for Node.
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

  it('keep sdk/gpu and sdk/cpu apart', () => {
    const across = (from: string, to: string): boolean =>
      (from.startsWith('sdk/gpu/') && to.startsWith('sdk/cpu/')) ||
      (from.startsWith('sdk/cpu/') && to.startsWith('sdk/gpu/'));
    expect(imports(graph, across)).toEqual([]);
  });

  it('leave the shaders to sdk/gpu', () => {
    const foreign = (from: string, to: string): boolean => to.startsWith('shaders/') && !from.startsWith('sdk/gpu/');
    expect(imports(graph, foreign)).toEqual([]);
  });

  it('bring nothing but each other and the errors into sdk/curves and sdk/field', () => {
    const isOwn = (file: string): boolean => /^sdk\/(curves|field)\//.test(file) || file === 'sdk/errors.ts';
    expect(imports(graph, (from, to) => /^sdk\/(curves|field)\//.test(from) && !isOwn(to))).toEqual([]);
  });

  it('keep sums out of sdk/gpu/runtime', () => {
    const sums = (from: string, to: string): boolean =>
      from.startsWith('sdk/gpu/runtime/') && /^sdk\/(gpu\/(?!runtime\/)|msm\/)/.test(to);
    expect(imports(graph, sums)).toEqual([]);
  });

  it('leave the farm, and the packages that it needs, to its own entry', () => {
    const isFarm = (file: string): boolean => /^sdk\/server[./]/.test(file) || file === 'workers/farm-worker.ts';
    const isItsPackage = (name: string): boolean =>
      /^(bullmq|ioredis|libsodium-wrappers|fastify|@fastify\/.*|@bull-board\/.*|prom-client)$/.test(name);
    expect(imports(graph, (from, to) => !isFarm(from) && (isFarm(to) || isItsPackage(to)))).toEqual([]);
  });

  it('bring in no package but the optional ones of an installation and those that are bundled, and none under GPL', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    const installed = [...Object.keys({ ...dependencies, ...peerDependencies }), ...BUNDLED];
    const foreign = (_: string, to: string): boolean =>
      !isFile(to) && !to.startsWith('node:') && !installed.includes(to);
    expect(imports(graph, foreign)).toEqual([]);
    for (const name of ['snarkjs', 'ffjavascript', '@noble/curves']) expect(installed).not.toContain(name);
  });
});

it('the examples import the package, and nothing from behind it', () => {
  const examples = readImportGraph(['examples']);
  const behind = (_: string, to: string): boolean => isFile(to) && !to.startsWith('examples/');
  expect(imports(examples, behind)).toEqual([]);
  expect(imports(examples, (_, to) => to === 'pippin-prover')).not.toEqual([]);
});

it('a curve is named by its id in sdk/curves alone', () => {
  const ids = new Set<string>(Object.keys(CURVES));
  const naming = sourceFiles('sdk').filter(
    (file) =>
      !file.startsWith('sdk/curves/') &&
      !file.includes('/generated/') &&
      stringLiterals(file).some((literal) => ids.has(literal)),
  );
  expect(naming).toEqual([]);
});
