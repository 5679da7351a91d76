import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../sdk/cli/command.js';
import { COMMANDS } from '../../sdk/cli/commands/index.js';
import { msmCommand } from '../../sdk/cli/commands/msm.js';
import { proveCommand } from '../../sdk/cli/commands/prove.js';
import type { Option } from '../../sdk/cli/option.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { expectError, pippin, runHere, runPippin } from '../support/cli.js';
import { ALL_CURVES } from '../support/registry.js';
import { root } from '../support/root.js';

describe('pippin', () => {
  it('tells its usage and version', async () => {
    const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as { version: string };
    expect(await pippin('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, errors: [] });
    expect(await pippin('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('pippin prove --zkey') });
    for (const { name } of COMMANDS) {
      expect(await runHere([name, '--help'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`pippin ${name}`),
        errors: [],
      });
    }
  });

  it.each([
    [['--help'], 'prove  '],
    [['help', '--quiet'], 'prove  '],
    [['--quiet', '--help'], 'prove  '],
    [['help', '-h'], 'prove  '],
    [['help', 'prove', '--quiet'], 'pippin prove --zkey'],
    [['--help', 'prove'], 'pippin prove --zkey'],
    [['prove', '--zkey', 'a', '-h'], 'pippin prove --zkey'],
  ])('helps with %j', async (args, expected) => {
    expect(await runHere(args)).toMatchObject({ code: 0, stdout: expect.stringContaining(expected), errors: [] });
  });

  it('helps without a word, and tells scripts that none was given', async () => {
    const help = (await runHere(['--help'])).stdout;
    expect(await runHere([])).toMatchObject({ code: 2, stdout: help, errors: [] });
  });

  it('has the name of its package, too, so that npx finds it where it is not installed', async () => {
    const { name, bin } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
    expect(bin[name]).toBe(bin.pippin);
  });

  it('gives its help and version as JSON', async () => {
    const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);
    expect(JSON.parse((await pippin('--json', '--version')).stdout)).toMatchObject({ node: process.version });
    const { commands } = await json('help', '--json');
    expect(commands.map(({ command }: { command: string }) => command)).toEqual(COMMANDS.map(({ name }) => name));
    const prove = await json('prove', '--help', '--json');
    expect(prove).toEqual(commands[0]);
    expect(prove).toMatchObject({
      command: 'prove',
      summary: expect.any(String),
      exitCodes: { 0: 'done', 143: expect.any(String) },
    });
    expect(prove.options[0]).toMatchObject({ name: '--zkey', value: 'FILE', required: true });
    expect((await json('help', 'cache', '--json')).operand).toMatchObject({ words: ['ls', 'clear'] });
  });

  it('refuses help for what is no command', async () => {
    expectError(await runHere(['help', 'fly']), 2, 'INVALID_ARGUMENT');
    expectError(await runHere(['--zkey', 'a', '--help']), 2, 'INVALID_ARGUMENT');
  });

  it('lists the curves of the registry', async () => {
    const { stdout: msm } = await runHere(['msm', '--help']);
    expect(msm).toContain(`--curve ${ALL_CURVES.map(({ id }) => id).join('|')} `);
    for (const { id, coordinateBytes, scalarBytes } of ALL_CURVES) {
      expect(msm).toMatch(new RegExp(`^  --points FILE  .*${coordinateBytes}( bytes)? on ${id}`, 'm'));
      expect(msm).toMatch(new RegExp(`^  --scalars FILE  .*${scalarBytes}( bytes)? on ${id}`, 'm'));
    }
    const { stdout: prove } = await runHere(['prove', '--help']);
    for (const { name } of KEY_CURVES) expect(prove).toContain(name);
  });

  it.each([
    [['fly']],
    [['--quiet']],
    [['--threads', '2', 'tune']],
    [['prove', '--fly']],
    [['prove', 'note.zkey']],
    [['prove', '--zkey']],
    [['prove', '--json=1']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--input', 'c']],
    [['prove', '--zkey', 'a']],
    [['prove', '--zkey', 'a', '--input', 'c']],
    [['prove', '--zkey', 'a', '--wasm', 'c']],
    [['prove', '--witness', 'b']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--backend', 'cuda']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--sha256', 'abc']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--sha256', 'abc']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--threads', '65']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--threads', '65']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--threads', '1e1']],
    [['prove', '--zkey', 'a', '--input', 'b', '--wasm', 'c', '--witness-timeout', '0']],
    [['prove', '--zkey', 'a', '--input', 'b', '--wasm', 'c', '--witness-memory', '1e9']],
    [['verify', '--vkey', 'a', '--proof', 'b']],
    [['verify', '--vkey', 'a', '--proof', 'b', '--public', 'c', '--backend', 'wasm']],
    [['msm', '--curve', 'secp256k1', '--points', 'a', '--scalars', 'b']],
    [['msm', '--curve', 'bn254', '--group', 'g3', '--points', 'a', '--scalars', 'b']],
    [['msm', '--curve', 'bn254', '--points', 'a']],
    [['msm', '--curve', 'bn254', '--vkey', 'a']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--scalars-form', 'plain']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--check', 'none']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--check']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--check', 'random']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--points-form', 'canonical']],
    [['tune', '--max-ms', '0']],
    [['tune', '--max-ms', '3s']],
    [['tune', '--max-ms', '99']],
    [['tune', '--curve', 'secp256k1']],
    [['tune', '--group', 'g1']],
    [['tune', '--constant-work']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--precompute', '33']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--precompute', 'always']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--window-bits', '3']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--window-bits', '1e1']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--chunks', '1.5']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--large-bucket-factor', '0.5']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--reduction', 'cross-window']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--accumulation', 'fast']],
    [['msm', '--curve', 'bn254', '--points', 'a', '--scalars', 'b', '--digits', 'wasm']],
    [['prove', '--zkey', 'a', '--witness', 'b', '--chunks', '2']],
    [['doctor', '--threads', '2']],
  ])('refuses %j', async (args) => {
    expectError(await runHere(args), 2, 'INVALID_ARGUMENT');
  });

  it.each([
    [
      ['verify', 'vkey.json', 'public.json', 'proof.json'],
      'pippin verify --vkey vkey.json --public public.json --proof proof.json',
    ],
    [['verify', '--vkey', 'v.json', 's.json', 'p.json'], 'pippin verify --vkey v.json --public s.json --proof p.json'],
    [
      ['prove', 'a b.zkey', 'w.wtns', '--constant-work'],
      "pippin prove --constant-work --zkey 'a b.zkey' --witness w.wtns",
    ],
    [['calldata', 's.json', 'p.json'], 'pippin calldata --public s.json --proof p.json'],
    [['vkey', 'a.zkey'], 'pippin vkey --zkey a.zkey'],
    [['verify', 'a', 'b', 'c', 'd'], 'pippin verify --help lists the options'],
    [['tune', '5'], 'pippin tune --help lists the options'],
  ])('answers %j with the line to type', (args, hint) => {
    const command = COMMANDS.find(({ name }) => name === args[0])!;
    expect(() => parseArguments(command, args.slice(1))).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', hint }),
    );
  });

  it('takes the options of all commands before the command', async () => {
    const script = (await runHere(['completion', 'bash'])).stdout;
    expect(await runHere(['--quiet', 'completion', 'bash'])).toMatchObject({ code: 0, stdout: script, errors: [] });
    const { stdout } = await runHere(['--quiet', '--json', 'completion', 'bash']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: script.trimEnd() });
  });

  it.each(['--proof', '--public'])('says that %s of a proof that is made is no standard output', (option) => {
    expect(() => parseArguments(proveCommand, ['--zkey', 'a', option, '-'])).toThrow(
      expect.objectContaining({
        message: `expected ${option} as a file, got - for standard output`,
        hint: 'without --proof and --public both are printed, and with --json always',
      }),
    );
  });

  it('names every option that takes - in its guide', async () => {
    const guide = await readFile(`${root}/docs/guide/command-line.md`, 'utf8');
    const told = guide.split('\n').find((line) => line.includes('`-` is standard input'));
    const names = COMMANDS.flatMap(({ options }) => Object.entries<Option>(options))
      .filter(([, { stdin, help }]) => stdin || help.includes('- is standard output'))
      .map(([name]) => name);
    expect(names).not.toEqual([]);
    for (const name of names) expect(told).toContain(`\`--${name}\``);
  });

  it('takes every way to check a sum, and leaves it to the prover where none is given', async () => {
    const { stdout } = await runHere(['msm', '--help']);
    expect(stdout).toContain('--check random|recompute|curve ');
    const operands = ['--curve', 'bn254', '--points', 'a', '--scalars', 'b'];
    for (const check of ['random', 'recompute', 'curve'])
      expect(parseArguments(msmCommand, [...operands, '--check', check]).values).toMatchObject({ check });
    expect(parseArguments(msmCommand, operands).values.check).toBeUndefined();
  });

  it('takes a closed pipe for no failure', async () => {
    const result = await runPippin(['--help'], { closeStdout: true });
    expect(result).toMatchObject({ code: 0, errors: [] });
  });

  it.runIf(process.platform === 'linux')('fails when its output is lost', async () => {
    const full = await open('/dev/full', 'w');
    const result = await runPippin(['--help'], { stdout: full.fd });
    await full.close();
    expect(result).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/^pippin: IO_FAILED: expected to write the output, got: ENOSPC/)],
    });
  });
});

describe('pippin doctor', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-cli-usage-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('finds out what this machine has', async () => {
    const { code, stdout } = await runPippin(['doctor', '--json'], { env: { XDG_CACHE_HOME: folder } });
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const found = JSON.parse(stdout);
    expect(Object.keys(found)).toEqual(['ok', 'node', 'platform', 'threads', 'cache', 'curves', 'wasm', 'webgpu']);
    expect(found).toMatchObject({ ok: true, node: process.version, cache: 'folder', wasm: { ok: true } });
    expect(found.threads).toBeGreaterThan(0);
    expect(found.curves).toEqual(ALL_CURVES.map(({ id }) => id));
    expect(Object.keys(found.webgpu)).toEqual(['ok', 'vendor', 'architecture', 'description', 'software']);
    expect(found.webgpu.ok).toBe(true);
  });

  it('shows what `pippin tune` found', async () => {
    // Without a GPU, which takes seconds to try on a software adapter.
    const env = { XDG_CACHE_HOME: folder, VK_DRIVER_FILES: '/nonexistent' };
    const args = ['tune', '--backend', 'wasm', '--threads', '2', '--max-ms', '100', '--curve', 'edwards-bls12'];
    const { code, stdout } = await runPippin([...args, '--json'], { env });
    expect(code).toBe(0);
    const map = JSON.parse(stdout);
    expect(map).toMatchObject({ workers: { threads: 2 } });
    expect(JSON.parse((await runPippin(['doctor', '--json'], { env })).stdout).performanceMap).toEqual(map);
    expect((await runPippin(args, { env })).stdout).toMatch(
      /^MSMs over G1 on 2 workers:\nedwards-bls12 2\^8 {2}[0-9.e+]+(; sparse [0-9.e+]+)? ms on the workers\n/,
    );
    expect((await runPippin(['doctor'], { env })).stdout).toMatch(/^Map +of [0-9TZ:.-]+\nMSMs over G1 on 2 workers:/m);
  });

  it('is content without a GPU and without a cache, and says so', async () => {
    const env = { XDG_CACHE_HOME: `${root}/package.json`, VK_DRIVER_FILES: '/nonexistent' };
    const { code, stdout, errors } = await runPippin(['doctor'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WASM +works: \d+ workers, cache: none$/m);
    expect(stdout).toContain(`\nCurves   ${ALL_CURVES.map(({ id }) => id).join(', ')}\n`);
    expect(stdout).toMatch(/^WebGPU +no: WEBGPU_UNAVAILABLE: .*\(use --backend wasm, /m);
    expect(errors).toEqual([expect.stringMatching(/^pippin: note: CACHE_UNAVAILABLE: /)]);
  });
});
