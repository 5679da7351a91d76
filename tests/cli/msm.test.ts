import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bn254, edwardsBls12, hasGpuKernels, pointBytes } from '../../sdk/curves/index.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { expectFailure, pippin, runPippin, withoutSoftwareNote } from '../support/cli.js';
import { firstOf, isTestedInFull } from '../support/combinations.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { encodePoints, encodeScalars, progression } from '../support/points.js';
import { adversarialScalars } from '../support/scalars.js';

let folder: string;
const at = (name: string): string => join(folder, name);
const operands = (): string[] => ['--points', at('points'), '--scalars', at('scalars')];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-msm-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const decimal = (value: bigint | readonly bigint[]): string | string[] =>
  typeof value === 'bigint' ? String(value) : value.map(String);

/** A process for each group of another shape, and for the curve whose kernels take a GPU the least time to compile. */
const GROUPS = NOBLE_GROUPS.filter(({ curve, group }) => isTestedInFull(curve, group) || curve === 'edwards-bls12');

describe.each(GROUPS)('pippin msm on $curve $group', ({ curve, group, order, multiples, sumOf }) => {
  const run = async (backend: string, ...args: string[]) => {
    const where = ['--curve', curve, '--group', group, '--backend', backend, '--no-cache'];
    const result = await pippin('msm', ...where, ...operands(), ...args);
    return { ...result, errors: withoutSoftwareNote(result.errors) };
  };

  // A GPU's kernels are compiled anew in each process, so one asks for it, over the curve that takes the least time;
  // tests/sdk has all curves and groups on it.
  const isOnGpu = EVERY_COMBINATION ? hasGpuKernels(curve) : curve === 'edwards-bls12';
  const backends = isOnGpu ? ['wasm', 'webgpu'] : ['wasm'];

  // The command line is the same for all groups.
  const isFirst = firstOf(NOBLE_GROUPS).some((first) => first.curve === curve && first.group === group);

  it.each(backends)('agrees with @noble/curves on adversarial input, with %s', async (backend) => {
    // All kinds of scalars after each other, over points with repetitions, opposites and infinity.
    const scalars = Object.values(adversarialScalars(isFirst ? 12 : 4, order)).flat();
    const logs = scalars.map((_, i) => [1n, 2n, 0n, 5n, order - 5n, BigInt(i) + 7n][i % 6]!);
    await writeFile(at('points'), multiples(logs));
    await writeFile(at('scalars'), encodeScalars(scalars, curve));
    const { code, stdout, errors } = await run(backend, '--json');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const { x, y } = decodePoint(curve, group, sumOf(logs, scalars));
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual(['x', 'y', 'infinity', 'n', 'backend', 'ms']);
    expect(result).toMatchObject({
      x: decimal(x),
      y: decimal(y),
      infinity: false,
      n: scalars.length,
      backend,
    });
    expect(result.ms.total).toBeGreaterThan(0);
  });

  // Infinity is not the same for all groups.
  const hasOwnInfinity = isFirst || ['bn254 g2', 'edwards-bls12 g1'].includes(`${curve} ${group}`);

  it.each(isFirst ? ['all at once'] : [])('takes a tuning, %s', async () => {
    const logs = [1n, 2n, 3n, order - 1n];
    const scalars = [order - 1n, 5n, 1n << 100n, 7n];
    await writeFile(at('points'), multiples(logs));
    await writeFile(at('scalars'), encodeScalars(scalars, curve));
    const flags = '--precompute 3 --window-bits 9 --reduction cross-window --large-bucket-factor 2.5 --chunks 2';
    const { stdout, errors } = await run('wasm', '--json', ...flags.split(' '), '--digits', 'workers');
    expect(errors).toEqual([]);
    const { x, y } = decodePoint(curve, group, sumOf(logs, scalars));
    expect(JSON.parse(stdout)).toMatchObject({ x: decimal(x), y: decimal(y) });
  });

  it.each(hasOwnInfinity ? ['what cancels, and for nothing'] : [])('gives infinity for %s', async () => {
    const { x, y } = decodePoint(curve, group, new Uint8Array(pointBytes(curve, group)));
    const infinity = { infinity: true, x: decimal(x), y: decimal(y) };
    await writeFile(at('points'), multiples([3n, order - 3n]));
    await writeFile(at('scalars'), encodeScalars([9n, 9n], curve));
    expect(JSON.parse((await run('wasm', '--json')).stdout)).toMatchObject({ ...infinity, n: 2 });
    // Text and empty files know no group.
    if (!isFirst) return;
    expect((await run('wasm')).stdout).toMatch(/^The point at infinity\n2 points on wasm in \d+ ms\n$/);
    await writeFile(at('points'), '');
    await writeFile(at('scalars'), '');
    expect(JSON.parse((await run('wasm', '--json')).stdout)).toMatchObject({ ...infinity, n: 0 });
  });
});

describe('pippin msm', () => {
  const onWasm = ['--backend', 'wasm', '--no-cache'];

  it('takes points and scalars in Montgomery form', async () => {
    const { fq, fr, g1 } = bn254;
    await writeFile(
      at('points'),
      encodePoint('bn254', 'g1', [(g1.generator[0] << 256n) % fq.modulus, 2n ** 257n % fq.modulus]),
    );
    await writeFile(at('scalars'), encodeScalars([2n ** 256n % fr.modulus]));
    const forms = ['--points-form', 'montgomery', '--scalars-form', 'montgomery'];
    const { stdout } = await pippin('msm', '--curve', 'bn254', ...operands(), ...onWasm, ...forms, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ x: '1', y: '2' });
  });

  it.each(['random', 'recompute', 'curve'])('takes --check %s', async (check) => {
    await writeFile(at('points'), encodePoint('bn254', 'g1', bn254.g1.generator));
    await writeFile(at('scalars'), encodeScalars([1n]));
    const { stdout } = await pippin('msm', '--curve', 'bn254', ...operands(), ...onWasm, '--check', check, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ x: '1', y: '2' });
  });

  it('refuses files that do not fit', async () => {
    const points = encodePoints(bn254, progression(bn254, 3, 1n, 1n).points);
    const msm = (curve: string, ...more: string[]): string[] => [
      'msm',
      '--curve',
      curve,
      ...operands(),
      ...onWasm,
      ...more,
    ];
    await writeFile(at('points'), points);
    await writeFile(at('scalars'), encodeScalars([1n, 2n]));
    await expectFailure(2, 'INVALID_LENGTH', ...msm('bn254'));
    await expectFailure(2, 'INVALID_LENGTH', ...msm('bn254', '--group', 'g2'));
    await expectFailure(2, 'INVALID_POINT', ...msm('bls12-377'));
    await expectFailure(2, 'CURVE_MISMATCH', ...msm('edwards-bls12', '--group', 'g2'));
    await writeFile(at('scalars'), encodeScalars([1n, 2n, bn254.fr.modulus]));
    await expectFailure(2, 'INVALID_SCALAR', ...msm('bn254'));
    await writeFile(at('points'), points.subarray(0, points.length - 1));
    await expectFailure(2, 'INVALID_LENGTH', ...msm('bn254'));
    await rm(at('points'));
    await expectFailure(2, 'IO_FAILED', ...msm('bn254'));
  });

  it('ends with 130 when it is interrupted while the GPU compiles its kernels', async () => {
    await writeFile(at('points'), encodePoints(edwardsBls12, progression(edwardsBls12, 3, 1n, 1n).points));
    await writeFile(at('scalars'), encodeScalars([1n, 2n, 3n], 'edwards-bls12'));
    const args = ['msm', '--curve', 'edwards-bls12', ...operands(), '--backend', 'webgpu', '--threads', '1'];
    const { code, signal, stdout, errors } = await runPippin(args, {
      // The notice of a cache that cannot be used comes while the bases are loaded.
      env: { XDG_CACHE_HOME: at('points') },
      onError: (line, child) => {
        if (line.startsWith('pippin: note: CACHE_UNAVAILABLE: ')) child.kill('SIGINT');
      },
    });
    expect({ code, signal, stdout }).toEqual({ code: 130, signal: null, stdout: '' });
    expect(errors.at(-1)).toMatch(/^pippin: ABORTED: /);
  });

  // Usually the interruption stands for both: a process compiles all kernels of a curve before it ends.
  const endings = EVERY_COMBINATION ? ['fails'] : [];
  it.each(endings)('ends in order when it %s while the GPU compiles its kernels', async () => {
    await writeFile(at('points'), new Uint8Array(pointBytes('edwards-bls12', 'g1')).fill(1));
    await writeFile(at('scalars'), encodeScalars([1n]));
    const args = ['msm', '--curve', 'edwards-bls12', ...operands(), '--backend', 'webgpu', '--no-cache'];
    const { code, signal, errors } = await runPippin(args);
    expect({ code, signal }).toEqual({ code: 2, signal: null });
    expect(withoutSoftwareNote(errors)).toEqual([expect.stringMatching(/^pippin: INVALID_POINT: /)]);
  });

  it('uses the workers where there is no GPU, unless it was told to use one', async () => {
    await writeFile(at('points'), encodePoints(bn254, progression(bn254, 1, 3n, 1n).points));
    await writeFile(at('scalars'), encodeScalars([1n]));
    const args = ['msm', '--curve', 'bn254', ...operands(), '--no-cache', '--json'];
    const env = { VK_DRIVER_FILES: '/nonexistent' };
    const automatic = await runPippin(args, { env });
    // It has ended before it would have looked for a GPU.
    expect(automatic).toMatchObject({ code: 0, errors: [] });
    expect(JSON.parse(automatic.stdout)).toMatchObject({ backend: 'wasm', n: 1 });
    const forced = await runPippin([...args, '--backend', 'webgpu'], { env });
    expect(forced).toMatchObject({ code: 1, errors: [expect.stringMatching(/^pippin: WEBGPU_UNAVAILABLE: /)] });
    expect(JSON.parse(forced.stdout)).toMatchObject({ error: { code: 'WEBGPU_UNAVAILABLE' } });
  });
});
