import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFailure, pippin, runPippin, withoutSoftwareNote } from '../support/cli.js';
import { endSnarkjs, example, exampleWtns, snarkjsVerifies } from '../support/example.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-prove-'));
  await writeFile(at('note.wtns'), await exampleWtns());
  await writeFile(at('input.json'), JSON.stringify(example.inputs));
  await writeFile(at('vkey.json'), JSON.stringify(example.verificationKey));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await endSnarkjs();
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
    expect(withoutSoftwareNote(errors)).toEqual([]);
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
    expect(await pippin(...verifying, '--public', at('public.json'))).toMatchObject({
      code: 0,
      stdout: 'The proof holds.\n',
      errors: [],
    });
    await writeFile(at('other.json'), JSON.stringify(publicSignals.with(0, '7')));
    expect(await pippin(...verifying, '--public', at('other.json'), '--json')).toMatchObject({
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

  it('prints proof and public signals as JSON unless told where to write them', async () => {
    const args = ['--zkey', example.zkeyPath, '--witness', at('note.wtns'), '--backend', 'wasm', '--no-cache'];
    const { code, stdout, errors } = await pippin('prove', ...args, '--no-verify');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const { proof, publicSignals } = JSON.parse(stdout);
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    await expectFailure(2, 'IO_FAILED', 'prove', ...args, '--proof', at('none/proof.json'));
  });

  it('keeps what it prepares in the cache directory', async () => {
    const env = { XDG_CACHE_HOME: at('cache') };
    const args = ['prove', '--zkey', example.zkeyPath, '--witness', at('note.wtns'), '--backend', 'wasm', '--json'];
    for (const _ of ['first', 'again']) {
      const { code, stdout, errors } = await runPippin(args, { env });
      expect({ code, errors }).toEqual({ code: 0, errors: [] });
      const { proof, publicSignals } = JSON.parse(stdout);
      expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
      expect(await readdir(at('cache/pippin'))).not.toEqual([]);
    }
  });

  it.each(['wasm', 'webgpu'])('ends with 130 when it is interrupted on %s', async (backend) => {
    const args = ['--zkey', example.zkeyPath, '--input', at('input.json'), '--wasm', example.wasmPath];
    const { code, signal, stdout, errors } = await runPippin(
      ['prove', ...args, '--backend', backend, '--threads', '1'],
      {
        // A cache that cannot be used is told of in the midst of loading the key.
        env: { XDG_CACHE_HOME: at('input.json') },
        onError: (line, child) => {
          if (line.startsWith('pippin: note: CACHE_UNAVAILABLE: ')) child.kill('SIGINT');
        },
      },
    );
    expect({ code, signal, stdout }).toEqual({ code: 130, signal: null, stdout: '' });
    expect(errors.at(-1)).toMatch(/^pippin: ABORTED: /);
  });
});
