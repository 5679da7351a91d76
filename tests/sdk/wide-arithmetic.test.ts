import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, plainFlags } from '../../scripts/lib/chromium.mjs';
import { launchBrowser } from '../../scripts/lib/example-driver.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../sdk/base/bytes.js';
import { CURVES, type CurveId, type GroupId } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import type * as Sdk from '../../sdk/index.js';
import { assembleBinary } from '../support/assembly.js';
import { snarkjsWitness, testCircuit } from '../support/circuits.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { encodeScalars } from '../support/points.js';
import { edgeValues, Random } from '../support/random.js';
import { root } from '../support/root.js';
import { expectSame } from '../support/same.js';
import { adversarialScalars } from '../support/scalars.js';
import { sharedBrowser } from '../support/shared-browser.js';
import { wideLimbs } from '../support/single-forms.js';

/**
 * The `-wide` modules by the browser's own instructions, in headless Chromium with and without the flag for them. Node
 * has none: there the same modules are tested with emulated instructions (tests/support/emulated-wide.ts).
 */

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

const CURVE_IDS = ['bn254', 'bls12-381'] as const satisfies CurveId[];
const FLAG = '--js-flags=--wasm-wide-arithmetic';

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
let wide: Browser;
let plain: Browser;
/** Files that pages ask for by name, beside those of the package. */
const files = new Map<string, string>();

beforeAll(async () => {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('expected a Chromium; `npm run setup` finds or installs one');
  folder = await mkdtemp(join(tmpdir(), 'pippin-wide-'));
  publish('/', 'page.html', '<!doctype html><script src="./load.js"></script><title>wide</title>');
  // In a file, because Vitest replaces `import()` in code.
  publish(
    '/load.js',
    'load.js',
    `globalThis.load = () => import('./index.js');
globalThis.fetchBytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());`,
  );
  // The clock of a page that is not isolated ticks every 100 microseconds.
  server = await serveFolder(join(root, 'dist'), { isolated: true, instead: async (path) => files.get(path) });
  wide = await launchBrowser(chromium, [...plainFlags(), '--disable-gpu', FLAG]);
  plain = await sharedBrowser();
});
afterAll(async () => {
  await wide?.close();
  await plain?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

function publish(path: string, name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
  files.set(path, join(folder, name));
}

/** Runs a function in a page, and gives its result and the WASM that the page fetched. */
async function inPage<Request, Result>(
  { context }: Browser,
  run: (request: Request) => Promise<Result>,
  request: Request,
): Promise<{ result: Result; fetched: string[] }> {
  const page = await context.newPage();
  const fetched: string[] = [];
  page.on('request', (each) => {
    const file = new URL(each.url()).pathname.slice(1);
    if (file.endsWith('.wasm')) fetched.push(file);
  });
  await page.goto(server.url);
  try {
    return { result: await page.evaluate(run as never, request as never), fetched };
  } finally {
    await page.close();
  }
}

interface Loader {
  load(): Promise<typeof Sdk>;
  fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Multiplies by a module of points, whichever the page would choose: it is given in place of the others. The points and the scalars of all
 * cases are files.
 */
async function multiply(request: {
  curve: CurveId;
  group: GroupId;
  cases: number;
  module: string;
}): Promise<number[][]> {
  const { load, fetchBytes } = globalThis as unknown as Loader;
  const { createProver } = await load();
  const { curve, group, cases, module } = request;
  const [points, scalars] = [await fetchBytes('points'), await fetchBytes('scalars')];
  const url = new URL(`./${module}.wasm`, document.baseURI);
  const assets = { wasm: { [`${curve}-wide`]: url, [`${curve}-fma`]: url, [`${curve}-simd`]: url, [curve]: url } };
  const prover = await createProver({ backend: 'wasm', threads: 1, cache: false, assets });
  const bases = await prover.loadBases({ curve, group, points, checkSubgroup: false });
  const results: number[][] = [];
  const length = scalars.length / cases;
  for (let i = 0; i < cases; i++) {
    results.push([...(await prover.msm(bases, scalars.subarray(i * length, (i + 1) * length))).bytes]);
  }
  await prover.dispose();
  return results;
}

/** Proves and verifies, by the modules that the page chooses, or by the one that is given. */
async function prove(module: string | undefined): Promise<boolean> {
  const { load, fetchBytes } = globalThis as unknown as Loader;
  const { createProver } = await load();
  const url = new URL(`./${module}.wasm`, document.baseURI);
  const assets = module === undefined ? {} : { wasm: { 'bn254-wide': url, 'bn254-fma': url } };
  const prover = await createProver({ backend: 'wasm', threads: 1, cache: false, assets });
  const key = await prover.groth16.loadKey(await fetchBytes('key'));
  const { proof, publicSignals } = await prover.groth16.prove(key, await fetchBytes('witness'));
  const verified = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
  await prover.dispose();
  return verified;
}

describe('wide arithmetic in Chromium', () => {
  it.each(CURVE_IDS.flatMap((curve) => (['g1', 'g2'] as const).map((group) => ({ curve, group }))))(
    'multiplies 300 points of $curve $group as @noble/curves does',
    async ({ curve, group }) => {
      const noble = NOBLE_GROUPS.find((each) => each.curve === curve && each.group === group)!;
      const order = CURVES[curve].fr.modulus;
      // Equal and opposite neighbours, and points at infinity.
      const logs = Array.from({ length: 300 }, (_, i) => mod([3n, -3n, 3n, BigInt(i + 5), 0n][i % 5]!, order));
      const cases = Object.values(adversarialScalars(logs.length, order));
      publish('/points', 'points', joinBytes(logs.map((log) => noble.multiple(log))));
      publish('/scalars', 'scalars', encodeScalars(cases.flat(), curve));
      const request = { curve, group, cases: cases.length, module: `${curve}-wide` };
      const { result, fetched } = await inPage(wide, multiply, request);
      expect(fetched).toContain(`${curve}-wide.wasm`);
      const sums = cases.map((each) =>
        mod(
          each.reduce((sum, scalar, i) => sum + scalar * logs[i]!, 0n),
          order,
        ),
      );
      expectSame(
        result,
        sums.map((sum) => [...noble.multiple(sum)]),
      );
    },
  );

  it('makes proofs that verify, and fetches one module of points, which is never this one without the flag', async () => {
    const circuit = await testCircuit('chain');
    publish('/key', 'key', circuit.zkey);
    publish('/witness', 'witness', await snarkjsWitness(circuit));
    const points = (fetched: readonly string[]) =>
      fetched.filter((file) => /^bn254(-\w+)?\.wasm$/.test(file) && !file.includes('scalars'));
    const given = await inPage(wide, prove, 'bn254-wide');
    expect(given.result).toBe(true);
    expect(points(given.fetched)).toEqual(['bn254-wide.wasm']);
    // A busy machine may lose the measurement.
    const chosen = await inPage(wide, prove, undefined);
    expect(chosen.result).toBe(true);
    expect(points(chosen.fetched)).toEqual([expect.stringMatching(/^bn254-(wide|fma)\.wasm$/)]);
    const without = await inPage(plain, prove, undefined);
    expect(without.result).toBe(true);
    expect(points(without.fetched)).toEqual([expect.stringMatching(/^bn254(-fma|-simd)?\.wasm$/)]);
  });

  it.each(CURVE_IDS)('computes in F_p and F_p^2 of %s as BigInt does', async (curve) => {
    const { fq } = CURVES[curve];
    const p = fq.modulus;
    const form = wideLimbs(fq);
    const random = new Random(155);
    const edges = [...edgeValues(p).slice(0, 16), ...edgeValues(2n * p).slice(0, 16), p, p + 1n, 2n * p - 1n];
    const any = (): bigint => (random.integer(8) === 0 ? edges[random.integer(edges.length)]! : random.below(2n * p));
    const operands = [
      ...edges.flatMap((x) => edges.map((y) => [x, y, y, x])),
      ...Array.from({ length: 2500 }, () => [any(), any(), any(), any()]),
    ];
    const methods = { mul: 3, sqr: 2, add: 3, sub: 3, sub2: 4, neg: 2, invert: 2 } as const;
    const names = ['x', 'y', 'z', 'u'];
    const wrap = ([name, count]: [string, number], type: string, prefix: string): string => {
      const parameters = names.slice(0, count);
      const declared = parameters.map((parameter) => `${parameter}: usize`).join(', ');
      return `export function ${prefix}${name}(${declared}): void { the<${type}>().${name}(${parameters.join(', ')}); }`;
    };
    const binary = await assembleBinary(
      'wide-in-chromium',
      [
        `import { the } from './field/field'; import { Fq2 } from './field/fq2';`,
        `import { Fq } from './generated/${curve}-fq-wide';`,
        'export function heapBase(): usize { return __heap_base; }',
        ...Object.entries(methods).map((method) => wrap(method, 'Fq', 'one_')),
        ...Object.entries(methods).map((method) => wrap(method, 'Fq2<Fq>', 'two_')),
      ].join('\n'),
      [],
      [],
      `${curve}-fq-wide.wat`,
    );
    const bytes = joinBytes(operands.flatMap((numbers) => numbers.map((number) => bigintToBytes(number, form.bytes))));
    publish('/operands', 'operands', bytes);
    publish('/module.wasm', 'module.wasm', binary);
    const { result } = await inPage(wide, computeInPage, { size: form.bytes, count: operands.length });
    const fromR = inverse(form.r, p);
    const numbersOf = Object.fromEntries(
      Object.entries(result).map(([name, text]) => {
        const found = new Uint8Array(Buffer.from(text, 'base64'));
        const at = (index: number): bigint => bytesToBigint(found, index * form.bytes, form.bytes);
        return [name, at];
      }),
    );
    const expectValue = (name: string, index: number, expected: bigint, what: string): void => {
      const found = numbersOf[name]!(index);
      if (found >= 2n * p || mod(found - expected, p) !== 0n) throw new Error(`${name} of ${what} is ${found}`);
    };
    for (const [i, [x, y, z, u]] of operands.entries() as Iterable<[number, [bigint, bigint, bigint, bigint]]>) {
      for (const [name, expected] of [
        ['mul', x * y * fromR],
        ['sqr', x * x * fromR],
        ['add', x + y],
        ['sub', x - y],
        ['sub2', x - y - z],
        ['neg', -x],
      ] as const)
        expectValue(`one_${name}`, i, expected, `${x}, ${y}, ${z}`);
      for (const [name, c0, c1] of [
        ['mul', (x * z - y * u) * fromR, (x * u + y * z) * fromR],
        ['sqr', (x * x - y * y) * fromR, 2n * x * y * fromR],
        ['add', x + z, y + u],
        ['sub', x - z, y - u],
        ['sub2', x - z - y, y - u - z],
        ['neg', -x, -y],
      ] as const) {
        expectValue(`two_${name}`, 2 * i, c0, `${x}, ${y}, ${z}, ${u}`);
        expectValue(`two_${name}`, 2 * i + 1, c1, `${x}, ${y}, ${z}, ${u}`);
      }
      // x R / x is 1 in Montgomery form.
      const inverted = numbersOf.one_invert!(i);
      expectSame(mod(inverted * x * fromR, p), x % p === 0n ? 0n : mod(form.r, p), `1 / ${x}`);
    }
  });
});

/**
 * Each function's results, in base64. The operands of F_p are the first three numbers x, y, z of four; of F_p^2 (x, y),
 * (z, u) and (y, z).
 */
async function computeInPage({ size, count }: { size: number; count: number }): Promise<Record<string, string>> {
  const { fetchBytes } = globalThis as unknown as Loader;
  const numbers = await fetchBytes('operands');
  const { instance } = await WebAssembly.instantiate(await fetchBytes('module.wasm'));
  const exports = instance.exports as unknown as Record<string, (...args: number[]) => number> & {
    readonly memory: WebAssembly.Memory;
  };
  const from = Math.ceil(exports.heapBase!() / 16) * 16;
  const target = from + numbers.length;
  exports.memory.grow(Math.ceil((target + numbers.length) / 65536));
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(numbers, from);
  const results: Record<string, string> = {};
  for (const [name, run] of Object.entries(exports)) {
    if (typeof run !== 'function' || name === 'heapBase') continue;
    const isExtended = name.startsWith('two_');
    const length = isExtended ? 2 * size : size;
    for (let i = 0; i < count; i++) {
      const x = from + 4 * i * size;
      const operands = isExtended ? [x, x + 2 * size, x + size] : [x, x + size, x + 2 * size];
      run(target + i * length, ...operands.slice(0, run.length - 1));
    }
    let text = '';
    const bytes = memory.subarray(target, target + count * length);
    for (let at = 0; at < bytes.length; at += 3 * 4096) {
      text += btoa(String.fromCharCode(...bytes.subarray(at, at + 3 * 4096)));
    }
    results[name] = text;
  }
  return results;
}
