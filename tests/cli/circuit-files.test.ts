import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calldataCommand } from '../../sdk/cli/commands/calldata.js';
import { infoCommand } from '../../sdk/cli/commands/info.js';
import { vkeyCommand } from '../../sdk/cli/commands/vkey.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import {
  chainOver,
  circuitFile,
  inputJson,
  MAKING_TIMEOUT,
  snarkjsProof,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { expectFailure, pippin, runPippin } from '../support/cli.js';
import { endSnarkjs, endSnarkjsOver, example, exampleWtns, snarkjsVerifies } from '../support/example.js';
import { runCommand } from '../support/run-command.js';

let folder: string;
const at = (name: string): string => join(folder, name);
const inputs = JSON.stringify(example.inputs);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-files-'));
  await writeFile(at('input.json'), inputs);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await endSnarkjs();
});

describe('pippin witness', () => {
  const wasm = ['witness', '--wasm', example.wasmPath];

  it("writes snarkjs' bytes, for the user alone, and tells of them", async () => {
    const args = [...wasm, '--input', at('input.json'), '--out', at('note.wtns')];
    const { code, stdout, errors } = await pippin(...args, '--json');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const written = await readFile(at('note.wtns'));
    expect(new Uint8Array(written)).toEqual(new Uint8Array(await exampleWtns()));
    const { ms, ...facts } = JSON.parse(stdout);
    expect(facts).toEqual({ out: at('note.wtns'), curve: 'bn254', variables: 5664, bytes: written.length });
    expect(ms).toBeGreaterThan(0);
    if (process.platform !== 'win32') expect((await stat(at('note.wtns'))).mode & 0o777).toBe(0o600);
    expect((await pippin(...args, '--quiet')).stdout).toMatch(/^5664 values over bn254 in .*note\.wtns/);
  });

  it('knows the field of a circuit', { timeout: MAKING_TIMEOUT }, async () => {
    for (const { id } of KEY_CURVES) {
      const circuit = await chainOver(id);
      await writeFile(at('chain.wasm'), circuit.wasm);
      const input = inputJson(circuit.inputs);
      const { code, stdout } = await runPippin(
        ['witness', '--wasm', at('chain.wasm'), '--input', '-', '--out', at('chain.wtns'), '--json'],
        { stdin: input },
      );
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, curve: id });
      expect(new Uint8Array(await readFile(at('chain.wtns')))).toEqual(new Uint8Array(await snarkjsWitness(circuit)));
      await endSnarkjsOver(id);
    }
  });

  it('refuses what is wrong, and leaves no file', async () => {
    const before = await readdir(folder);
    const out = ['--out', at('none.wtns')];
    await expectFailure(
      2,
      'UNSUPPORTED_FORMAT',
      'witness',
      '--wasm',
      at('input.json'),
      '--input',
      at('input.json'),
      ...out,
    );
    await writeFile(at('few.json'), '{"amount": 1}');
    await expectFailure(2, 'INVALID_INPUT', ...wasm, '--input', at('few.json'), ...out);
    await expectFailure(2, 'IO_FAILED', ...wasm, '--input', at('input.json'), '--out', at('none/x.wtns'));
    await expectFailure(1, 'OUT_OF_MEMORY', ...wasm, '--input', at('input.json'), ...out, '--witness-memory', '65536');
    await expectFailure(2, 'INVALID_ARGUMENT', ...wasm, '--input', at('input.json'));
    expect((await readdir(folder)).toSorted()).toEqual([...before, 'few.json'].toSorted());
  });
});

describe('a pipe', () => {
  const proving = ['--zkey', example.zkeyPath, '--backend', 'wasm', '--no-cache', '--json'];

  it('takes a witness through standard output and standard input', async () => {
    const full = await runPippin(['witness', '--wasm', example.wasmPath, '--input', '-', '--out', at('piped.wtns')], {
      stdin: inputs,
    });
    expect(full).toMatchObject({ code: 0, errors: [] });
    const { code, stdout, errors } = await runPippin(['prove', ...proving, '--witness', '-'], {
      stdin: await readFile(at('piped.wtns')),
    });
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const { proof, publicSignals } = JSON.parse(stdout);
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
  });

  it('takes inputs and proofs', async () => {
    const { code, stdout } = await runPippin(
      ['fullprove', ...proving, '--wasm', example.wasmPath, '--input', '-', '--no-exchange-arithmetic'],
      {
        stdin: inputs,
      },
    );
    expect(code).toBe(0);
    const { proof, publicSignals } = JSON.parse(stdout);
    await writeFile(at('vkey.json'), JSON.stringify(example.verificationKey));
    await writeFile(at('public.json'), JSON.stringify(publicSignals));
    const verifying = ['verify', '--vkey', at('vkey.json'), '--public', at('public.json'), '--proof', '-'];
    expect(await runPippin(verifying, { stdin: JSON.stringify(proof) })).toMatchObject({
      code: 0,
      stdout: 'The proof holds.\n',
    });
    expect(await runPippin(verifying, { stdin: '' })).toMatchObject({
      code: 2,
      errors: [expect.stringMatching(/^pippin: IO_FAILED: expected the proof on standard input, got nothing/)],
    });
  });
});

describe('pippin vkey', () => {
  it('gives what snarkjs exports', async () => {
    const { code, stdout, errors } = await pippin('vkey', '--zkey', example.zkeyPath);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(JSON.parse(stdout)).toEqual(example.verificationKey);
    const { object, text } = await runCommand(vkeyCommand, '--zkey', example.zkeyPath, '--out', at('out.json'));
    expect(object).toEqual(example.verificationKey);
    expect(text).toContain(at('out.json'));
    expect(JSON.parse(await readFile(at('out.json'), 'utf8'))).toEqual(example.verificationKey);
  });
});

describe('pippin calldata', () => {
  it('gives what snarkjs gives, over BN254 alone', { timeout: MAKING_TIMEOUT }, async () => {
    for (const { id } of KEY_CURVES) {
      const { proof, publicSignals } = await snarkjsProof(await chainOver(id));
      await endSnarkjsOver(id);
      await writeFile(at('p.json'), JSON.stringify(proof));
      await writeFile(at('s.json'), JSON.stringify(publicSignals));
      const made = runCommand(calldataCommand, '--proof', at('p.json'), '--public', at('s.json'));
      if (id !== KEY_CURVES[0]!.id) {
        await expect(made).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
        continue;
      }
      const expected = await snarkjs.groth16.exportSolidityCallData(proof, publicSignals);
      const object = { calldata: expected, arguments: JSON.parse(`[${expected}]`) };
      expect(await made).toEqual({ code: 0, object, text: expected, notes: [] });
    }
  });
});

describe('pippin info', () => {
  it('tells what files hold', { timeout: MAKING_TIMEOUT }, async () => {
    await testCircuit('chain');
    await writeFile(at('some.wtns'), await exampleWtns());
    for (const [path, facts, told] of [
      [example.zkeyPath, { kind: 'zkey', curve: 'bn254', variables: 5664, constraints: 5640 }, /^Constraints +5640$/m],
      [at('some.wtns'), { kind: 'wtns', curve: 'bn254', variables: 5664 }, /^Values +5664$/m],
      [await circuitFile('chain.r1cs'), { kind: 'r1cs', curve: 'bn254', customGates: false }, /^Custom gates +no$/m],
    ] as const) {
      const { code, object, text } = await runCommand(infoCommand, path);
      expect({ code, object }).toMatchObject({ code: 0, object: facts });
      expect(text).toMatch(told);
    }
  });

  it.each([
    ['MALFORMED_FILE', [example.wasmPath]],
    ['INVALID_ARGUMENT', ['-']],
    ['INVALID_ARGUMENT', []],
    ['INVALID_ARGUMENT', ['one', 'two']],
  ])('%s for %j', async (code, args) => {
    await expect(runCommand(infoCommand, ...args)).rejects.toMatchObject({ code });
  });
});
