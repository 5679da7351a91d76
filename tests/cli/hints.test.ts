import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PippinError, type PippinErrorCode, USUAL_HINTS } from '../../sdk/base/errors.js';
import { withHint } from '../../sdk/cli/hints.js';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { fileHint } from '../../sdk/files/file-hint.js';
import { runPippin } from '../support/cli.js';
import { example } from '../support/example.js';
import { encodeScalars } from '../support/points.js';

/** What the SDK's hints name, and the command line does not have. */
const OF_SDK =
  /load(Circuit|Key|Bases)|fullProve|createProver|another prover|scalarsForm|allowUnfinished|memoryBudget|ProverOptions|parsed JSON|dispose of|\b(browser|the page|other pages)\b/;

/** What no command does: it uses handles of its own prover alone, while it lives. */
const OF_HANDLES: readonly PippinErrorCode[] = ['DISPOSED', 'INVALID_HANDLE'];

const hintOf = (code: PippinErrorCode, hint?: string, message = 'm'): string | undefined =>
  withHint(new PippinError(code, message, { hint })).hint;

describe('withHint', () => {
  it('names options as the command line does', () => {
    const error = new PippinError('WITNESS_FAILED', 'm', { hint: 'raise witnessTimeout if the circuit is that large' });
    expect(withHint(error).hint).toBe('raise --witness-timeout if the circuit is that large');
  });

  it('adds what a user of the command line can do, and keeps the rest', () => {
    const error = new PippinError('IO_FAILED', 'expected to read x, got: ENOENT: no such file', { cause: 'c' });
    expect(withHint(error)).toMatchObject({ code: 'IO_FAILED', message: error.message, cause: 'c' });
    expect(withHint(error).hint).toContain(process.cwd());
    const other = new PippinError('INVALID_SCALAR', 'm', { hint: 'own' });
    expect(withHint(other)).toBe(other);
  });

  it('puts what it knows itself in place of what the SDK says of every error of a code', () => {
    expect(hintOf('INVALID_SCALAR')).toContain('--scalars-form');
    expect(hintOf('OUT_OF_MEMORY')).toBe('fewer --threads take less memory');
    expect(hintOf('INVALID_POINT', undefined, 'expected point 3 to lie on bn254 g1')).toContain('--points-form');
    expect(hintOf('INVALID_POINT', undefined, 'expected IC[0] below p, got 7')).toContain('pippin vkey');
    expect(hintOf('INVALID_INPUT', undefined, 'expected a from 0 to r - 1, got one')).toContain('--strict-inputs');
    expect(hintOf('UNSUPPORTED_FORMAT')).toBe(USUAL_HINTS.UNSUPPORTED_FORMAT);
  });

  it.each(Object.keys(USUAL_HINTS) as PippinErrorCode[])('says nothing of the SDK about %s', (code) => {
    if (!OF_HANDLES.includes(code)) expect(hintOf(code)).not.toMatch(OF_SDK);
  });

  it.each(['zkyb', 'zkey', 'wtns', 'r1cs', '\0asm', 'ptau', '{', '<'])(
    'says nothing of the SDK about a file %j',
    (text) => {
      const { hint } = fileHint(new TextEncoder().encode(text));
      expect(hint).toEqual(expect.any(String));
      expect(hintOf('MALFORMED_FILE', hint)).not.toMatch(OF_SDK);
    },
  );

  it.each([
    'give a larger memoryBudget, smaller windows, or use the wasm backend',
    'release other bases, or give a larger memoryBudget',
    'create another prover; if that fails too, load the page again: the site may have a newer version',
    'the browser or the system may have ended it because memory ran out; fewer threads need less',
    'the process has too many open files: dispose of keys that are not needed, or raise the limit (ulimit -n)',
    'check the path: a relative one starts at the page that makes the call',
  ])('says in its own words: %s', (hint) => {
    expect(hintOf('INTERNAL', hint)).not.toMatch(OF_SDK);
  });
});

describe('the hints of commands that fail', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-cli-hints-'));
    const { verificationKey: key } = example;
    const hexadecimal = { ...key, vk_alpha_1: key.vk_alpha_1.map((x) => `0x${BigInt(x).toString(16)}`) };
    for (const [name, json] of Object.entries({
      few: { amount: 1 },
      vkey: key,
      hexadecimal,
      altered: { ...key, vk_alpha_1: ['1', '1', '1'] },
      unfinished: { ...key, vk_delta_2: key.vk_gamma_2 },
      text: 'text',
    })) {
      await writeFile(at(name), JSON.stringify(json));
    }
    await writeFile(at('point'), encodePoint('bn254', 'g1', bn254.g1.generator));
    await writeFile(at('off'), encodePoint('bn254', 'g1', [1n, 1n]));
    await writeFile(at('one'), encodeScalars([1n]));
    await writeFile(at('order'), encodeScalars([bn254.fr.modulus]));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const msm = 'msm --curve bn254 --no-cache';
  const verify = 'verify --proof text --public text --vkey';
  it.each([
    ['INVALID_INPUT', `witness --wasm ${example.wasmPath} --input few --out none`, "'signal input' lines"],
    ['MALFORMED_FILE', `vkey --zkey ${example.wasmPath}`, 'take it with --wasm'],
    ['MALFORMED_FILE', `prove --zkey ${example.zkeyPath} --witness ${example.zkeyPath}`, '--zkey takes it'],
    ['INVALID_SCALAR', `${msm} --backend wasm --points point --scalars order`, '--scalars-form'],
    ['INVALID_POINT', `${msm} --backend wasm --points off --scalars one`, '--points-form'],
    ['WEBGPU_UNAVAILABLE', `${msm} --backend webgpu --points point --scalars one`, 'use --backend wasm'],
    ['MALFORMED_FILE', `${verify} hexadecimal`, 'see that each option names'],
    ['MALFORMED_FILE', `${verify} text`, 'see that each option names'],
    ['INVALID_POINT', `${verify} altered`, 'pippin vkey makes it anew'],
    ['KEY_UNFINISHED', `${verify} unfinished`, '--allow-unfinished takes it'],
    ['MALFORMED_FILE', 'calldata --proof few --public text', 'see that each option names'],
  ] as const)('%s of pippin %s', async (code, line, told) => {
    const env = { VK_DRIVER_FILES: '/nonexistent' };
    const { stdout } = await runPippin([...line.split(' '), '--json'], { env, cwd: folder });
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code, hint: expect.stringContaining(told) });
    expect(error.hint).not.toMatch(OF_SDK);
  });
});
