import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAlias, removeAlias } from '../../sdk/cli/commands/alias.js';
import { root } from '../support/root.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-alias-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PIPPIN = { 'pippin-prover': '^0.1.0' };
const write = (name: string, text: string) => writeFile(join(folder, name), text);
const read = (name: string) => readFile(join(folder, name), 'utf8');
const project = async () => JSON.parse(await read('package.json'));

describe('pippin alias', () => {
  it('writes the package that the docs show, names it, and puts everything back', async () => {
    const before = `${JSON.stringify({ name: 'wallet', dependencies: { ...PIPPIN, snarkjs: '^0.7.0' } }, undefined, 4)}\n`;
    await write('package.json', before);
    expect(await addAlias(folder)).toEqual([
      'pippin-snarkjs/: a package in the place of snarkjs',
      'package.json: dependencies.snarkjs = "file:./pippin-snarkjs"',
      'package.json: overrides.snarkjs = "$snarkjs"',
      'now run: npm install',
    ]);
    expect(await project()).toEqual({
      name: 'wallet',
      dependencies: { ...PIPPIN, snarkjs: 'file:./pippin-snarkjs' },
      overrides: { snarkjs: '$snarkjs' },
    });
    const standIn = join(root, 'tests', 'consumers', 'alias', 'stand-in', 'stand-in');
    for (const name of ['index.js', 'templates/verifier_groth16.sol.ejs']) {
      expect(await read(`pippin-snarkjs/${name}`)).toBe(await readFile(join(standIn, name), 'utf8'));
    }
    const written = await project();
    expect(await addAlias(folder)).toEqual([]);
    expect(await project()).toEqual(written);
    expect(await removeAlias(folder)).toHaveLength(4);
    expect(await read('package.json')).toBe(before);
    await expect(read('pippin-snarkjs/index.js')).rejects.toThrow('ENOENT');
    expect(await removeAlias(folder)).toEqual([]);
  });

  it('keeps a development dependency where it is, and other overrides', async () => {
    const before = { dependencies: PIPPIN, devDependencies: { snarkjs: '0.7.6' }, overrides: { rollup: '4.0.0' } };
    await write('package.json', JSON.stringify(before));
    await addAlias(folder);
    const { dependencies, devDependencies, overrides } = await project();
    expect(dependencies).toEqual(PIPPIN);
    expect(devDependencies).toEqual({ snarkjs: 'file:./pippin-snarkjs' });
    expect(overrides).toEqual({ rollup: '4.0.0', snarkjs: '$snarkjs' });
    await removeAlias(folder);
    expect(await project()).toEqual(before);
  });

  it.each([
    ['pnpm-lock.yaml', {}, 'link:./pippin-snarkjs', { pnpm: { overrides: { snarkjs: 'link:./pippin-snarkjs' } } }],
    ['yarn.lock', {}, 'file:./pippin-snarkjs', { resolutions: { snarkjs: 'file:./pippin-snarkjs' } }],
    ['package-lock.json', {}, 'file:./pippin-snarkjs', { overrides: { snarkjs: '$snarkjs' } }],
    [
      'package-lock.json',
      { packageManager: 'pnpm@10.0.0' },
      'link:./pippin-snarkjs',
      { pnpm: { overrides: { snarkjs: 'link:./pippin-snarkjs' } } },
    ],
  ])('with %s and %j names it as that package manager does', async (lock, named, dependency, fields) => {
    const before = { ...named, dependencies: PIPPIN };
    await write('package.json', JSON.stringify(before));
    await write(lock, '');
    await addAlias(folder);
    expect(await project()).toEqual({ ...named, dependencies: { ...PIPPIN, snarkjs: dependency }, ...fields });
    await removeAlias(folder);
    expect(await project()).toEqual(before);
  });

  it('refuses a folder without a project, one without Pippin, and what is no JSON', async () => {
    await expect(addAlias(folder)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/package\.json in this/),
    });
    await write('package.json', '{');
    await expect(addAlias(folder)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await write('package.json', '[]');
    await expect(addAlias(folder)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await write('package.json', '{}');
    await expect(addAlias(folder)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringMatching(/npm install/),
    });
  });

  it("leaves somebody else's folder of that name alone", async () => {
    const before = JSON.stringify({ dependencies: PIPPIN });
    await write('package.json', before);
    await mkdir(join(folder, 'pippin-snarkjs'));
    await write('pippin-snarkjs/package.json', '{}');
    await expect(addAlias(folder)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/something else/),
    });
    expect(await removeAlias(folder)).toEqual([]);
    expect(await read('package.json')).toBe(before);
    expect(await read('pippin-snarkjs/package.json')).toBe('{}');
  });
});
