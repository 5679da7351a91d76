import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import {
  chainOver,
  inputJson,
  MAKING_TIMEOUT,
  plonkCircuit,
  snarkjsPlonkProof,
  snarkjsProof,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { expectFailure, pippin, runPippin, withoutSoftwareNote } from '../support/cli.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { endSnarkjs, endSnarkjsOver, example, exampleWtns, snarkjsVerifies } from '../support/example.js';

let folder: string;
/** A small circuit for what looks at no more than one. */
let matrix: Awaited<ReturnType<typeof testCircuit>>;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-cli-prove-'));
  await writeFile(at('note.wtns'), await exampleWtns());
  await writeFile(at('input.json'), JSON.stringify(example.inputs));
  await writeFile(at('vkey.json'), JSON.stringify(example.verificationKey));
  matrix = await testCircuit('matrix');
  await writeFile(at('matrix.zkey'), matrix.zkey);
  await writeFile(at('matrix.wtns'), await snarkjsWitness(matrix));
}, MAKING_TIMEOUT);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await endSnarkjs();
});

describe('pippin prove and verify', () => {
  const plonkCircuits = EVERY_COMBINATION ? (['chain', 'bls12381/chain'] as const) : (['chain'] as const);
  it.each(plonkCircuits)('take files of PLONK, without a word about it (%s)', async (name) => {
    const circuit = await plonkCircuit(name);
    if (name !== 'chain') onTestFinished(() => endSnarkjsOver('bls12-381'));
    const snarks = await snarkjsPlonkProof(circuit);
    const files = { zkey: circuit.zkey, wasm: circuit.wasm, wtns: await snarkjsWitness(circuit) };
    for (const [ending, bytes] of Object.entries(files)) await writeFile(at(`plonk.${ending}`), bytes);
    await writeFile(at('plonk.input.json'), inputJson(circuit.inputs));
    expect(await pippin('vkey', '--zkey', at('plonk.zkey'), '--out', at('plonk.vkey.json'))).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(at('plonk.vkey.json'), 'utf8'))).toEqual(circuit.verificationKey);
    const written = ['--proof', at('plonk.proof.json'), '--public', at('plonk.public.json')];
    const key = ['--zkey', at('plonk.zkey'), '--backend', 'wasm', '--vkey', at('plonk.vkey.json')];
    const verify = ['verify', '--vkey', at('plonk.vkey.json'), ...written];
    for (const work of [
      ['prove', '--witness', at('plonk.wtns')],
      ['fullprove', '--wasm', at('plonk.wasm'), '--input', at('plonk.input.json')],
    ]) {
      expect(await pippin(...work, ...key, ...written)).toMatchObject({ code: 0, errors: [] });
      const [proof, publicSignals] = await Promise.all(
        ['proof', 'public'].map(async (file) => JSON.parse(await readFile(at(`plonk.${file}.json`), 'utf8'))),
      );
      expect(publicSignals).toEqual(snarks.publicSignals);
      expect(await snarkjs.plonk.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(await pippin(...verify)).toMatchObject({ code: 0, errors: [] });
    }
    await writeFile(at('plonk.public.json'), JSON.stringify(snarks.publicSignals.map(() => '1')));
    expect(await pippin(...verify)).toMatchObject({ code: 1, errors: [] });
    expect((await pippin('info', at('plonk.zkey'))).stdout).toMatch(/plonk.*Gates.*Additions/s);
    await writeFile(at('other.wtns'), await exampleWtns());
    const code = name === 'chain' ? 'INVALID_LENGTH' : 'CURVE_MISMATCH';
    await expectFailure(2, code, 'prove', '--witness', at('other.wtns'), '--zkey', at('plonk.zkey'));
  });

  it('proves only with the key of a verification key that is named', async () => {
    await writeFile(at('pinned.json'), JSON.stringify(matrix.verificationKey));
    const prove = (vkey: string) =>
      [
        'prove',
        '--zkey',
        at('matrix.zkey'),
        '--witness',
        at('matrix.wtns'),
        '--vkey',
        at(vkey),
        '--backend',
        'wasm',
      ] as const;
    expect(await pippin(...prove('pinned.json'))).toMatchObject({ code: 0, errors: [] });
    await expectFailure(2, 'KEY_MISMATCH', ...prove('vkey.json'));
    const hash = createHash('sha256').update(matrix.zkey).digest('hex');
    expect(await pippin(...prove('pinned.json'), '--sha256', hash)).toMatchObject({ code: 0, errors: [] });
    await expectFailure(
      2,
      'KEY_MISMATCH',
      ...prove('pinned.json'),
      '--sha256',
      hash.replace(/^./, (d) => (d === '0' ? '1' : '0')),
    );
  });

  it('takes a key without a contribution only if it is allowed', async () => {
    const circuit = await testCircuit('smallest');
    const { proof, publicSignals } = await snarkjsProof(circuit);
    const key = { ...circuit.verificationKey, vk_delta_2: circuit.verificationKey.vk_gamma_2 };
    await writeFile(at('unfinished.json'), JSON.stringify(key));
    await writeFile(at('proof.json'), JSON.stringify(proof));
    await writeFile(at('public.json'), JSON.stringify(publicSignals));
    const files = [
      'verify',
      '--vkey',
      at('unfinished.json'),
      '--proof',
      at('proof.json'),
      '--public',
      at('public.json'),
    ];
    await expectFailure(2, 'KEY_UNFINISHED', ...files);
    expect(await pippin(...files, '--allow-unfinished')).toMatchObject({ code: 1, errors: [] });
  });

  // Usually msm.test.ts has the GPU: a process compiles all kernels of a proof anew.
  it.each(EVERY_COMBINATION ? ['wasm', 'webgpu'] : ['wasm'])(
    'proves on %s from a witness what snarkjs verifies',
    async (backend) => {
      const files = ['--zkey', at('matrix.zkey'), '--witness', at('matrix.wtns')];
      const { code, stdout, errors } = await pippin(
        'prove',
        ...files,
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
      const { proof, publicSignals, ...result } = JSON.parse(stdout);
      expect(Object.keys(result)).toEqual(['backend', 'ms']);
      expect(result.backend).toBe(backend);
      expect(result.ms.total).toBeGreaterThan(0);
      expect(await snarkjs.groth16.verify(matrix.verificationKey, publicSignals, proof)).toBe(true);
    },
    MAKING_TIMEOUT,
  );

  it("passes the limits of the circuit's WASM on", async () => {
    const backend = ['--backend', 'wasm', '--no-cache'];
    const files = ['--zkey', example.zkeyPath, '--input', at('input.json'), '--wasm', example.wasmPath, ...backend];
    await expectFailure(1, 'OUT_OF_MEMORY', 'prove', ...files, '--witness-memory', '65536');
    await expectFailure(2, 'INVALID_ARGUMENT', 'prove', ...files, '--witness-timeout', String(2 ** 31));
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
    expect(await pippin(...verifying, '--public', at('short.json'))).toMatchObject({
      code: 1,
      stdout: 'The proof does not hold.\n',
      errors: [],
    });
    await expectFailure(2, 'MALFORMED_FILE', ...verifying, '--public', example.zkeyPath);
  });

  it('tells a coordinate that is not below p of a proof, which does not hold, from one of the key', async () => {
    const circuit = await testCircuit('smallest');
    const { proof, publicSignals } = await snarkjsProof(circuit);
    const key = circuit.verificationKey;
    const large = ([x, ...rest]: readonly string[]): string[] => [String(BigInt(x!) + bn254.fq.modulus), ...rest];
    await writeFile(at('signals.json'), JSON.stringify(publicSignals));
    const verify = async (vkey: object, proof: object): Promise<string[]> => {
      await writeFile(at('key.json'), JSON.stringify(vkey));
      await writeFile(at('large.json'), JSON.stringify(proof));
      return ['verify', '--vkey', at('key.json'), '--proof', at('large.json'), '--public', at('signals.json')];
    };
    const large1 = { ...proof, pi_a: large(proof.pi_a) };
    const expected = { code: 1, stdout: '{"valid":false}\n', errors: [] };
    expect(await pippin(...(await verify(key, large1)), '--json')).toMatchObject(expected);
    const large2 = { ...proof, pi_b: [large(proof.pi_b[0]!), ...proof.pi_b.slice(1)] };
    expect(await pippin(...(await verify(key, large2)), '--json')).toMatchObject(expected);
    await expectFailure(2, 'INVALID_POINT', ...(await verify({ ...key, vk_alpha_1: large(key.vk_alpha_1) }, large1)));
    await expectFailure(2, 'INVALID_POINT', ...(await verify({ ...key, IC: key.IC.map(large) }, proof)));
    await expectFailure(2, 'MALFORMED_FILE', ...(await verify(key, { ...proof, pi_a: ['0x1', '0x2', '1'] })));
  });

  // The command line is the same for all curves, and the tests above try BN254.
  it.each(EVERY_COMBINATION ? KEY_CURVES : [])(
    'proves over $id from a witness and from inputs, and verifies, as snarkjs does',
    async ({ id }) => {
      const circuit = await chainOver(id);
      const named = (name: string): string => at(`${id}.${name}`);
      await writeFile(named('zkey'), circuit.zkey);
      await writeFile(named('wasm'), circuit.wasm);
      await writeFile(named('wtns'), await snarkjsWitness(circuit));
      await writeFile(named('json'), inputJson(circuit.inputs));
      await writeFile(named('vkey'), JSON.stringify(circuit.verificationKey));
      const written = ['--proof', named('proof'), '--public', named('public')];
      for (const source of [
        ['--witness', named('wtns')],
        ['--input', named('json'), '--wasm', named('wasm')],
      ]) {
        const args = ['--zkey', named('zkey'), ...source, '--backend', 'wasm', '--no-cache', ...written];
        expect(await pippin('prove', ...args)).toMatchObject({ code: 0, errors: [] });
        const publicSignals = JSON.parse(await readFile(named('public'), 'utf8')) as string[];
        const proof = JSON.parse(await readFile(named('proof'), 'utf8'));
        expect(await snarkjs.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
        expect(await pippin('verify', '--vkey', named('vkey'), ...written)).toMatchObject({ code: 0, errors: [] });
        await writeFile(named('public'), JSON.stringify(publicSignals.with(0, '7')));
        expect(await pippin('verify', '--vkey', named('vkey'), ...written)).toMatchObject({ code: 1, errors: [] });
      }
      await endSnarkjsOver(id);
    },
    MAKING_TIMEOUT,
  );

  it(
    'refuses the witness and the verification key of another curve',
    async () => {
      const [one, other] = await Promise.all([chainOver('bn254'), chainOver('bls12-381')]);
      await writeFile(at('one.zkey'), one.zkey);
      await writeFile(at('other.wtns'), await snarkjsWitness(other));
      const proving = ['prove', '--zkey', at('one.zkey'), '--witness', at('other.wtns'), '--backend', 'wasm'];
      await expectFailure(2, 'CURVE_MISMATCH', ...proving, '--no-cache');
      const { proof, publicSignals } = await snarkjsProof(one);
      await writeFile(at('one.proof'), JSON.stringify(proof));
      await writeFile(at('one.public'), JSON.stringify(publicSignals));
      await writeFile(at('other.vkey'), JSON.stringify(other.verificationKey));
      const verifying = [
        'verify',
        '--vkey',
        at('other.vkey'),
        '--proof',
        at('one.proof'),
        '--public',
        at('one.public'),
      ];
      await expectFailure(2, 'CURVE_MISMATCH', ...verifying);
    },
    MAKING_TIMEOUT,
  );

  it('refuses files that are wrong', async () => {
    const wasm = ['--backend', 'wasm', '--no-cache'];
    await expectFailure(2, 'IO_FAILED', 'prove', '--zkey', at('none'), '--witness', at('note.wtns'));
    await expectFailure(2, 'MALFORMED_FILE', 'prove', '--zkey', at('note.wtns'), '--witness', at('note.wtns'));
    await expectFailure(2, 'MALFORMED_FILE', 'prove', '--zkey', example.zkeyPath, '--witness', example.zkeyPath);
    const proving = ['prove', '--zkey', example.zkeyPath, '--wasm', example.wasmPath, ...wasm];
    await writeFile(at('large.json'), '{"amount": 12345678901234567890123}');
    await expectFailure(2, 'INVALID_INPUT', ...proving, '--strict-inputs', '--input', at('large.json'));
    await writeFile(at('hexadecimal.json'), JSON.stringify({ ...example.inputs, amount: '0X1' }));
    await expectFailure(2, 'INVALID_INPUT', ...proving, '--strict-inputs', '--input', at('hexadecimal.json'));
    const bad = Buffer.from(await readFile(at('note.wtns')));
    bad[bad.length - 32]! ^= 1;
    await writeFile(at('bad.wtns'), bad);
    await expectFailure(1, 'PROOF_INVALID', 'prove', '--zkey', example.zkeyPath, '--witness', at('bad.wtns'), ...wasm);
  });

  it('shows no secret of inputs that are wrong', async () => {
    const wasm = ['--wasm', example.wasmPath, '--backend', 'wasm', '--no-cache'];
    for (const [code, text] of [
      ['MALFORMED_FILE', '{"amount": c0ffee1234567890}'],
      ['MALFORMED_FILE', 'c0ffee1234567890'],
      ['INVALID_INPUT', '{"amount": "c0ffee1234567890"}'],
    ] as const) {
      await writeFile(at('wrong.json'), text);
      const { errors } = await pippin('prove', '--zkey', example.zkeyPath, '--input', at('wrong.json'), ...wasm);
      expect(errors).toEqual([expect.stringContaining(`pippin: ${code}: expected `)]);
      expect(errors[0]).not.toContain('c0ffee');
    }
  });

  it(
    'takes inputs as snarkjs does, tells what JSON rounds, and what the circuit logs',
    async () => {
      const circuit = await testCircuit('logging');
      await writeFile(at('logging.zkey'), circuit.zkey);
      await writeFile(at('logging.wasm'), circuit.wasm);
      const files = ['--zkey', at('logging.zkey'), '--wasm', at('logging.wasm'), '--input', at('root.json')];
      const prove = async (text: string) => {
        await writeFile(at('root.json'), text);
        return pippin('prove', ...files, '--backend', 'wasm', '--no-cache', '--json');
      };
      const log = expect.stringMatching(/^pippin: note: CIRCUIT_LOG: root is [0-9]+$/);
      for (const root of ['"-7"', '" 7 "', '"0b111"', '[[7]]']) {
        const { code, stdout, errors } = await prove(`{"root": ${root}}`);
        expect({ code, errors }).toEqual({ code: 0, errors: [log] });
        const { proof, publicSignals } = JSON.parse(stdout);
        expect(await snarkjs.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      }
      const { code, errors } = await prove('{"root": 12345678901234567890123}');
      expect({ code, errors }).toEqual({
        code: 1,
        errors: [
          expect.stringMatching(/^pippin: note: expected root in .* got a number that JSON rounds$/),
          log,
          expect.stringMatching(
            /^pippin: WITNESS_REJECTED: .*an assertion failed \(Error in template Logging_0 line: 7\) \(the inputs do not satisfy/,
          ),
        ],
      });
    },
    MAKING_TIMEOUT,
  );

  it('prints proof and public signals as JSON unless told where to write them', async () => {
    const args = ['--zkey', at('matrix.zkey'), '--witness', at('matrix.wtns'), '--backend', 'wasm', '--no-cache'];
    const { code, stdout, errors } = await pippin('prove', ...args, '--no-verify');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const { proof, publicSignals } = JSON.parse(stdout);
    expect(await snarkjs.groth16.verify(matrix.verificationKey, publicSignals, proof)).toBe(true);
    await expectFailure(2, 'IO_FAILED', 'prove', ...args, '--proof', at('none/proof.json'));
  });

  it('keeps what it prepares in the cache directory', async () => {
    const env = { XDG_CACHE_HOME: at('cache') };
    const args = ['prove', '--zkey', at('matrix.zkey'), '--witness', at('matrix.wtns'), '--backend', 'wasm', '--json'];
    for (const _ of ['first', 'again']) {
      const { code, stdout, errors } = await runPippin(args, { env });
      expect({ code, errors }).toEqual({ code: 0, errors: [] });
      const { proof, publicSignals } = JSON.parse(stdout);
      expect(await snarkjs.groth16.verify(matrix.verificationKey, publicSignals, proof)).toBe(true);
      expect(await readdir(at('cache/pippin'))).not.toEqual([]);
    }
  });

  // A process compiles all kernels of a proof before it ends: usually msm.test.ts interrupts one on a GPU.
  const interrupted = EVERY_COMBINATION ? ['wasm', 'webgpu'] : ['wasm'];
  it.each(interrupted)('ends with 130 when it is interrupted on %s', async (backend) => {
    const args = ['--zkey', example.zkeyPath, '--input', at('input.json'), '--wasm', example.wasmPath];
    const { code, signal, stdout, errors } = await runPippin(
      ['prove', ...args, '--backend', backend, '--threads', '1'],
      {
        // The notice of a cache that cannot be used comes while the key is loaded.
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
