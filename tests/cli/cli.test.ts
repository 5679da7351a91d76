import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bn254 as nobleBn254 } from '@noble/curves/bn254.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/field/point-bytes.js';
import { pippin } from '../support/cli.js';
import { endSnarkjs, example, exampleWtns, snarkjsVerifies } from '../support/example.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { root } from '../support/root.js';
import { adversarialScalars } from '../support/scalars.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-'));
  await writeFile(at('note.wtns'), await exampleWtns());
  await writeFile(at('input.json'), JSON.stringify(example.inputs));
  await writeFile(at('vkey.json'), JSON.stringify(example.verificationKey));
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await endSnarkjs();
});

/** One line on stderr with this code, and nothing on stdout. */
async function expectFailure(code: number, error: string, ...args: string[]): Promise<void> {
  const result = await pippin(...args);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toMatch(new RegExp(`^pippin: ${error}: expected .*got[: ]`));
}

describe('pippin', () => {
  it('tells its usage and version', async () => {
    const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as { version: string };
    expect(await pippin('--version')).toEqual({ code: 0, stdout: `${version}\n`, errors: [] });
    expect(await pippin('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('pippin prove --zkey') });
    for (const command of ['prove', 'verify', 'msm', 'doctor']) {
      expect(await pippin(command, '--help')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`pippin ${command}`),
      });
    }
  });

  it.each([
    [[]],
    [['fly']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--input', 'c']],
    [['prove', '--zkey', 'a']],
    [['prove', '--zkey', 'a', '--input', 'c']],
    [['prove', '--witness', 'b']],
    [['verify', '--vkey', 'a', '--proof', 'b']],
    [['msm', '--curve', 'secp256k1', '--points', 'a', '--scalars', 'b']],
    [['msm', '--curve', 'bn254', '--group', 'g3', '--points', 'a', '--scalars', 'b']],
    [['msm', '--curve', 'bn254', '--vkey', 'a']],
  ])('refuses %j', async (args) => {
    await expectFailure(2, 'INVALID_ARGUMENT', ...args);
  });

  it('finds out what this machine has', async () => {
    const { code, stdout } = await pippin('doctor', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      node: process.version,
      wasm: { ok: true },
      webgpu: { ok: true },
    });
  });
});

describe('pippin prove and verify', () => {
  it.each(['wasm', 'webgpu'])('proves on %s from a witness what snarkjs verifies', async (backend) => {
    const { code, stdout, errors } = await pippin(
      'prove',
      '--zkey',
      example.zkeyPath,
      '--witness',
      at('note.wtns'),
      '--backend',
      backend,
      '--threads',
      '2',
      '--no-cache',
      '--json',
    );
    expect(code).toBe(0);
    expect(errors.filter((line) => !line.startsWith('pippin: note: WEBGPU_SOFTWARE: '))).toEqual([]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual(['proof', 'publicSignals', 'backend', 'ms']);
    expect(result.backend).toBe(backend);
    expect(result.ms.total).toBeGreaterThan(0);
    expect(await snarkjsVerifies(result.publicSignals, result.proof)).toBe(true);
  });

  it('proves from inputs to files, and verifies them', async () => {
    const files = ['--proof', at('proof.json'), '--public', at('public.json')];
    const proved = await pippin(
      'prove',
      '--zkey',
      example.zkeyPath,
      '--input',
      at('input.json'),
      '--wasm',
      example.wasmPath,
      '--backend',
      'wasm',
      '--no-cache',
      ...files,
    );
    expect(proved).toMatchObject({ code: 0, errors: [], stdout: expect.stringContaining('Proved on wasm') });
    const publicSignals = JSON.parse(await readFile(at('public.json'), 'utf8')) as string[];
    expect(await snarkjsVerifies(publicSignals, JSON.parse(await readFile(at('proof.json'), 'utf8')))).toBe(true);
    const verifying = ['verify', '--vkey', at('vkey.json'), '--proof', at('proof.json')];
    expect(await pippin(...verifying, '--public', at('public.json'))).toEqual({
      code: 0,
      stdout: 'The proof holds.\n',
      errors: [],
    });
    await writeFile(at('other.json'), JSON.stringify(publicSignals.with(0, '7')));
    expect(await pippin(...verifying, '--public', at('other.json'), '--json')).toEqual({
      code: 1,
      stdout: '{"valid":false}\n',
      errors: [],
    });
    await writeFile(at('short.json'), JSON.stringify(publicSignals.slice(1)));
    await expectFailure(2, 'INVALID_LENGTH', ...verifying, '--public', at('short.json'));
    await expectFailure(2, 'MALFORMED_FILE', ...verifying, '--public', example.zkeyPath);
  });

  it('refuses files that are wrong', async () => {
    const wasm = ['--backend', 'wasm', '--no-cache'];
    await expectFailure(2, 'IO_FAILED', 'prove', '--zkey', at('none'), '--witness', at('note.wtns'));
    await expectFailure(2, 'MALFORMED_FILE', 'prove', '--zkey', at('note.wtns'), '--witness', at('note.wtns'));
    await expectFailure(2, 'MALFORMED_FILE', 'prove', '--zkey', example.zkeyPath, '--witness', example.zkeyPath);
    await writeFile(at('large.json'), '{"amount": 12345678901234567890123}');
    await expectFailure(
      2,
      'INVALID_INPUT',
      'prove',
      '--zkey',
      example.zkeyPath,
      '--input',
      at('large.json'),
      '--wasm',
      example.wasmPath,
      ...wasm,
    );
    const bad = Buffer.from(await readFile(at('note.wtns')));
    bad[bad.length - 32]! ^= 1;
    await writeFile(at('bad.wtns'), bad);
    await expectFailure(1, 'PROOF_INVALID', 'prove', '--zkey', example.zkeyPath, '--witness', at('bad.wtns'), ...wasm);
  });
});

describe('pippin msm', () => {
  it.each([
    ['bn254', 'wasm'],
    ['bn254', 'webgpu'],
    ['bls12-377', 'wasm'],
    ['bls12-377', 'webgpu'],
  ] as const)('multiplies on %s with %s', async (id, backend) => {
    const curve = id === 'bn254' ? bn254 : bls12377;
    const { points, factors } = progression(curve, 64, 5n ** 70n, 3n);
    const scalars = adversarialScalars(64, curve.fr.modulus)['mostly 0 and 1']!;
    await writeFile(at('points'), encodePoints(curve, points));
    await writeFile(at('scalars'), encodeScalars(scalars));
    const { code, stdout } = await pippin(
      'msm',
      '--curve',
      id,
      '--points',
      at('points'),
      '--scalars',
      at('scalars'),
      '--backend',
      backend,
      '--no-cache',
      '--json',
    );
    expect(code).toBe(0);
    const [x, y] = multipleOf(curve, dot(factors, scalars))!;
    expect(JSON.parse(stdout)).toMatchObject({ x: String(x), y: String(y), infinity: false, n: 64, backend });
  });

  it('multiplies in G2 of BN254', async () => {
    const { Point } = nobleBn254.G2;
    const { x, y } = Point.BASE.multiply(5n).toAffine();
    await writeFile(
      at('points'),
      encodePoint('bn254', 'g2', [
        [x.c0, x.c1],
        [y.c0, y.c1],
      ]),
    );
    await writeFile(at('scalars'), encodeScalars([7n]));
    const { code, stdout } = await pippin(
      'msm',
      '--curve',
      'bn254',
      '--group',
      'g2',
      '--points',
      at('points'),
      '--scalars',
      at('scalars'),
      '--backend',
      'wasm',
      '--json',
    );
    expect(code).toBe(0);
    const expected = Point.BASE.multiply(35n).toAffine();
    expect(JSON.parse(stdout)).toMatchObject({
      x: [String(expected.x.c0), String(expected.x.c1)],
      y: [String(expected.y.c0), String(expected.y.c1)],
      n: 1,
    });
  });

  it('refuses files that do not fit', async () => {
    await writeFile(at('points'), encodePoints(bn254, progression(bn254, 3, 1n, 1n).points));
    await writeFile(at('scalars'), encodeScalars([1n, 2n]));
    const msm = (curve: string): string[] => [
      'msm',
      '--curve',
      curve,
      '--points',
      at('points'),
      '--scalars',
      at('scalars'),
      '--backend',
      'wasm',
    ];
    await expectFailure(2, 'INVALID_LENGTH', ...msm('bn254'));
    await expectFailure(2, 'INVALID_POINT', ...msm('bls12-377'));
    await writeFile(at('scalars'), encodeScalars([1n, 2n, bn254.fr.modulus]));
    await expectFailure(2, 'INVALID_SCALAR', ...msm('bn254'));
  });
});
