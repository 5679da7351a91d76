import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import type * as Alias from '../../sdk/snarkjs-node.js';
import type { MemFile } from '../../sdk/snarkjs-node.js';
import {
  chainOver,
  circuitFile,
  fflonkCircuit,
  MAKING_TIMEOUT,
  plonkCircuit,
  snarkjsFflonkProof,
  snarkjsPlonkProof,
  snarkjsProof,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { root } from '../support/root.js';
import { op, tinyCircuit } from '../support/tiny-circuit.js';
import { forged, unfinished } from '../support/unfinished-key.js';

const standard = { prover: { backend: 'wasm', threads: 2, cache: false } } as const;

let alias: typeof Alias;
beforeAll(async () => {
  await testCircuit('chain');
  alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
  // snarkjs itself runs beside it.
  alias.configure(standard);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

describe('pippin-prover/snarkjs', () => {
  it('has the names of snarkjs, each call of each group', () => {
    const namesOf = (module: object): Record<string, string[]> =>
      Object.fromEntries(
        Object.entries(module)
          .filter(([group]) => group !== 'configure' && group !== 'default')
          .map(([group, calls]) => [group, Object.keys(calls).sort()]),
      );
    expect(namesOf(alias)).toEqual(namesOf(snarkjs));
    expect(namesOf(alias.default)).toEqual(namesOf(snarkjs));
  });

  it('can be required, also as code does that was compiled from ES modules', () => {
    const required = createRequire(import.meta.url)(fileURLToPath(built('snarkjs-node.js')));
    expect(Object.keys(required.groth16)).toEqual(Object.keys(alias.groth16));
    expect(required.default.groth16).toBe(required.groth16);
  });

  it('takes a string for a path, also one that looks like a URL', async () => {
    const [wasm, zkey] = ['https://example.org/c.wasm', 'https://example.org/c.zkey'];
    const message = expect.stringContaining('ENOENT: no such file or directory');
    const missing = { code: 'IO_FAILED', message, hint: expect.stringContaining('new URL') };
    await expect(alias.groth16.fullProve({}, wasm, zkey)).rejects.toMatchObject(missing);
    await expect(alias.wtns.calculate({}, wasm, { type: 'mem' })).rejects.toMatchObject({ message });
    await expect(alias.zKey.exportVerificationKey(zkey)).rejects.toMatchObject({ message });
    const { inputs, zkey: ownKey } = await testCircuit('chain');
    await expect(alias.groth16.fullProve(inputs, wasm, ownKey)).rejects.toMatchObject({ message });
  });

  it('names the call that it does not have, and what has it', async () => {
    await expect(alias.wtns.debug('circuit.wasm', 'witness.wtns')).rejects.toMatchObject({
      code: 'UNSUPPORTED_CALL',
      message: expect.stringContaining('wtns.debug()'),
      hint: expect.stringContaining('snarkjs itself'),
    });
    for (const call of [alias.fflonk.exportSolidityVerifier, alias.wtns.check, alias.r1cs.print]) {
      await expect(call()).rejects.toMatchObject({ code: 'UNSUPPORTED_CALL' });
    }
  });

  it('has curves whose terminate does no harm, and which say what they are not', async () => {
    for (const { snarkjs: names, fq, fr } of KEY_CURVES) {
      const curve = await alias.curves.getCurveFromName(names.name.toUpperCase());
      expect(curve).toMatchObject({ name: names.name, q: fq.modulus, r: fr.modulus });
      expect(await alias.curves.getCurveFromR(fr.modulus)).toBe(curve);
      expect(await alias.curves.getCurveFromQ(fq.modulus)).toBe(curve);
      await curve.terminate();
      expect(() => (curve as unknown as { G1: unknown }).G1).toThrow('a use of G1');
    }
    await expect(alias.curves.getCurveFromName('secp256k1')).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
  });
});

describe.each(KEY_CURVES.map(({ id }) => id))('pippin-prover/snarkjs over %s', (curve) => {
  afterAll(() => endSnarkjsOver(curve));

  it('gives results of the same types, which both verifiers accept', async () => {
    const circuit = await chainOver(curve);
    const { inputs, wasm, zkey, verificationKey } = circuit;
    const expected = await snarkjsProof(circuit);
    const wtns: MemFile = { type: 'mem' };
    await alias.wtns.calculate(inputs, wasm, wtns);
    for (const { proof, publicSignals } of [
      await alias.groth16.fullProve(inputs, wasm, { type: 'mem', data: zkey }),
      await alias.groth16.prove(zkey, wtns),
    ]) {
      expect(publicSignals).toEqual(expected.publicSignals);
      const formOf = (value: unknown): string => JSON.stringify(value).replaceAll(/\d{6,}/g, 'number');
      expect(formOf(proof)).toBe(formOf(expected.proof));
      expect(await snarkjs.groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
      expect(await alias.groth16.verify(verificationKey, publicSignals, proof)).toBe(true);
      const pi_a = proof.pi_a.map((number: string) => `0x${BigInt(number).toString(16)}`);
      const other = { ...proof, pi_a, curve: 'other', protocol: 'groth' } as never;
      expect(await snarkjs.groth16.verify(verificationKey, publicSignals, other)).toBe(true);
      expect(await alias.groth16.verify(verificationKey, publicSignals, other)).toBe(true);
      expect(await alias.groth16.verify(verificationKey, publicSignals.with(0, '1'), proof)).toBe(false);
      const text = await alias.groth16.exportSolidityCallData(proof, publicSignals);
      expect(text).toBe(await snarkjs.groth16.exportSolidityCallData(proof, publicSignals));
    }
    expect(await alias.groth16.verify(verificationKey, expected.publicSignals, expected.proof)).toBe(true);
  });

  it('gives PLONK proofs of the same form, which both verifiers accept', async () => {
    const circuit = await plonkCircuit(curve === 'bn254' ? 'chain' : 'bls12381/chain');
    const { inputs, wasm, zkey, verificationKey } = circuit;
    const expected = await snarkjsPlonkProof(circuit);
    expect(JSON.stringify(await alias.zKey.exportVerificationKey(zkey))).toBe(JSON.stringify(verificationKey));
    for (const { proof, publicSignals } of [
      await alias.plonk.fullProve(inputs, wasm, { type: 'mem', data: zkey }, undefined, {}, { singleThread: true }),
      await alias.plonk.prove(zkey, await snarkjsWitness(circuit)),
      expected,
    ]) {
      expect(publicSignals).toEqual(expected.publicSignals);
      const formOf = (value: unknown): string => JSON.stringify(value).replaceAll(/\d{6,}/g, 'number');
      expect(formOf(proof)).toBe(formOf(expected.proof));
      expect(await snarkjs.plonk.verify(verificationKey, publicSignals, proof)).toBe(true);
      expect(await alias.plonk.verify(verificationKey, publicSignals, proof)).toBe(true);
      const A = proof.A.map((number: string) => `0x${BigInt(number).toString(16)}`);
      const other = { ...proof, A, curve: 'other', protocol: 'groth' } as never;
      expect(await snarkjs.plonk.verify(verificationKey, publicSignals, other)).toBe(true);
      expect(await alias.plonk.verify(verificationKey, publicSignals, other)).toBe(true);
      expect(await alias.plonk.verify(verificationKey, publicSignals.with(0, '1'), proof)).toBe(false);
      expect(await alias.plonk.verify(verificationKey, publicSignals, { ...proof, B: proof.A })).toBe(false);
      expect(await alias.plonk.verify(verificationKey, publicSignals, { ...proof, B: ['1', '1', '1'] })).toBe(false);
      const text = await alias.plonk.exportSolidityCallData(proof, publicSignals);
      expect(text).toBe(await snarkjs.plonk.exportSolidityCallData(proof, publicSignals));
    }
    await expect(alias.groth16.prove(zkey, await snarkjsWitness(circuit))).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
    });
  });

  it.runIf(curve === 'bn254')('gives FFLONK proofs and calldata of the same form', async () => {
    const circuit = await fflonkCircuit('chain');
    const { verificationKey, inputs, wasm, zkey } = circuit;
    const expected = await snarkjsFflonkProof(circuit);
    const made = await alias.fflonk.fullProve(inputs, wasm, { type: 'mem', data: zkey });
    for (const { proof, publicSignals } of [made, expected]) {
      expect(publicSignals).toEqual(expected.publicSignals);
      expect(await snarkjs.fflonk.verify(verificationKey as never, publicSignals, proof as never)).toBe(true);
      expect(await alias.fflonk.verify(verificationKey, publicSignals, proof as never)).toBe(true);
      // snarkjs takes the public signals first.
      const text = await snarkjs.fflonk.exportSolidityCallData(publicSignals, proof as never);
      expect(await alias.fflonk.exportSolidityCallData(publicSignals as never, proof as never)).toBe(text);
      expect(await alias.fflonk.exportSolidityCallData(proof as never, publicSignals)).toBe(text);
    }
  });

  it('writes the same witness, byte for byte, and the same verification key', async () => {
    const circuit = await chainOver(curve);
    const expected = await snarkjsWitness(circuit);
    const folder = mkdtempSync(join(tmpdir(), 'pippin-alias-'));
    try {
      const path = join(folder, 'chain.wtns');
      await alias.wtns.calculate(circuit.inputs, { type: 'mem', data: circuit.wasm }, path);
      expect(new Uint8Array(readFileSync(path))).toEqual(expected);
      await alias.wtns.calculate(circuit.inputs, circuit.wasm, { type: 'file', fileName: path });
      expect(new Uint8Array(readFileSync(path))).toEqual(expected);
      const pages = { type: 'bigMem' as const };
      await alias.wtns.calculate(circuit.inputs, circuit.wasm, pages);
      expect(pages).toEqual({ type: 'bigMem', data: [expected] });
      const { publicSignals } = await alias.groth16.prove(circuit.zkey, pages);
      expect(publicSignals).toEqual((await alias.groth16.prove(circuit.zkey, path)).publicSignals);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const key = await alias.zKey.exportVerificationKey(circuit.zkey);
    expect(JSON.stringify(key)).toBe(JSON.stringify(circuit.verificationKey));
  });

  it('exports the same objects of a witness, a key and a constraint system', async () => {
    const circuit = await chainOver(curve);
    const witness = await snarkjsWitness(circuit);
    expect(await alias.wtns.exportJson(witness)).toStrictEqual(await snarkjs.wtns.exportJson(witness));
    const key = await alias.zKey.exportJson(circuit.zkey);
    const expected = await snarkjs.zKey.exportJson(circuit.zkey);
    expect(key).toStrictEqual(expected);
    expect(JSON.stringify(key)).toBe(JSON.stringify(expected));
    const path = await r1csOver(curve);
    const system = await alias.r1cs.exportJson(path);
    expect(system).toStrictEqual(await snarkjs.r1cs.exportJson(path));
    expect(JSON.stringify(system)).toBe(JSON.stringify(await snarkjs.r1cs.exportJson(path)));
  });

  it('tells of a constraint system what snarkjs tells, and logs it', async () => {
    const path = await r1csOver(curve);
    const lines = { pippin: [] as string[], snarkjs: [] as string[] };
    const info = await alias.r1cs.info(path, { info: (line) => lines.pippin.push(line) });
    const {
      curve: _,
      F,
      ...expected
    } = await snarkjs.r1cs.info(path, {
      info: (line: string) => lines.snarkjs.push(line),
    });
    expect(info).toEqual(expected);
    expect(lines.pippin).toEqual(lines.snarkjs);
  });
});

function r1csOver(curve: CurveId): Promise<string> {
  const name = CURVES[curve].snarkjs!.name;
  return circuitFile(name === 'bn128' ? 'chain.r1cs' : `${name}/chain.r1cs`);
}

describe('what a caller changes after a call', () => {
  it('does not count, as in snarkjs', async () => {
    const { wasm, zkey, verificationKey, ...circuit } = await testCircuit('chain');
    const inputs: Record<string, unknown> = { ...circuit.inputs };
    const proving = alias.groth16.fullProve(inputs as typeof circuit.inputs, wasm, zkey);
    for (const name of Object.keys(inputs)) inputs[name] = '1';
    const { proof, publicSignals } = await proving;
    const expected = await snarkjsProof(await testCircuit('chain'));
    expect(publicSignals).toEqual(expected.publicSignals);
    const key = structuredClone(verificationKey);
    const verifying = alias.groth16.verify(key, publicSignals, proof);
    publicSignals[0] = '1';
    Object.assign(key, { IC: [] });
    proof.pi_a[0] = '1';
    expect(await verifying).toBe(true);
  });
});

describe('a verification key', () => {
  it('may name another protocol, and another number of signals, as in snarkjs', async () => {
    const circuit = await testCircuit('chain');
    const { proof, publicSignals } = await snarkjsProof(circuit);
    const key = { ...circuit.verificationKey, protocol: 'Groth16', nPublic: 77 };
    expect(await snarkjs.groth16.verify(key, publicSignals, proof)).toBe(true);
    expect(await alias.groth16.verify(key, publicSignals, proof)).toBe(true);
  });
});

describe('bytes of another realm', () => {
  it('are files as well', async () => {
    const { inputs, wasm, zkey } = await testCircuit('chain');
    const foreign = (bytes: Uint8Array): Uint8Array =>
      runInNewContext('new Uint8Array(bytes)', { bytes: Array.from(bytes) });
    const code = foreign(wasm);
    expect(code).not.toBeInstanceOf(Uint8Array);
    const { publicSignals } = await alias.groth16.fullProve(inputs, code, { type: 'mem', data: foreign(zkey) });
    expect(publicSignals.length).toBeGreaterThan(0);
  });
});

describe('the globals of snarkjs', () => {
  const globals = globalThis as { curve_bn128?: { terminate(): Promise<void> } | null | undefined };

  it.each(['alias', 'snarkjs'] as const)('serve snarkjs and the alias in one process, %s first', async (first) => {
    const { zkey, verificationKey, ...circuit } = await testCircuit('chain');
    const { proof, publicSignals } = await snarkjsProof({ zkey, verificationKey, ...circuit });
    const libraries = { alias, snarkjs };
    const verify = (name: keyof typeof libraries): Promise<boolean> =>
      libraries[name].groth16.verify(verificationKey, publicSignals, proof);
    const order = first === 'alias' ? (['alias', 'snarkjs'] as const) : (['snarkjs', 'alias'] as const);
    alias.configure({ curveGlobals: true });
    await globals.curve_bn128?.terminate();
    for (let round = 0; round < 2; round++) {
      for (const name of order) expect(await verify(name)).toBe(true);
      // That of snarkjs computes, whoever came first.
      expect(globals.curve_bn128).toMatchObject({ name: 'bn128', G1: expect.anything() });
      await globals.curve_bn128!.terminate();
      expect(await verify('alias')).toBe(true);
      // As applications do, with and without asking first.
      if (globals.curve_bn128) await globals.curve_bn128.terminate();
      await globals.curve_bn128!.terminate();
      expect(await verify('snarkjs')).toBe(true);
      await globals.curve_bn128!.terminate();
    }
  });

  it('are left alone in frozen prototypes', () => {
    const script = `Object.freeze(BigInt.prototype); const alias = await import(process.argv[1]);
      const error = await alias.r1cs.info(new Uint8Array(9)).catch(({ code }) => code);
      console.log(error, globalThis.curve_bn128);`;
    const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script, built('snarkjs-node.js')]);
    expect(String(stdout)).toBe('MALFORMED_FILE undefined\n');
  });

  it('are there after each call, and gone when they are not wanted', async () => {
    const { zkey } = await testCircuit('chain');
    const calls = [
      () => alias.zKey.exportVerificationKey(zkey),
      async () => alias.r1cs.info(await circuitFile('chain.r1cs')),
      () => alias.curves.getCurveFromName('bn128'),
    ];
    const before = globals.curve_bn128;
    delete globals.curve_bn128;
    try {
      for (const call of calls) {
        alias.configure({ curveGlobals: true });
        await call();
        await globals.curve_bn128!.terminate();
        alias.configure({ curveGlobals: false });
        expect(globals.curve_bn128).toBeUndefined();
        expect('terminate' in BigInt.prototype).toBe(false);
      }
    } finally {
      globals.curve_bn128 = before;
      alias.configure({ curveGlobals: true });
    }
  });
});

describe("a circuit's own code", () => {
  const endless = tinyCircuit({ bodies: { init: op.forever } });
  const limits = { witnessTimeout: 300, witnessMemory: 2 ** 26 };
  afterEach(() => alias.configure({ witnessTimeout: 120_000, witnessMemory: 2 ** 30, ...standard }));

  it('is ended after witnessTimeout', async () => {
    const { zkey } = await testCircuit('smallest');
    alias.configure(limits);
    const tooSlow = { code: 'WITNESS_FAILED', hint: expect.stringContaining('witnessTimeout') };
    await expect(alias.groth16.fullProve({}, endless, zkey)).rejects.toMatchObject(tooSlow);
    await expect(alias.wtns.calculate({}, endless, { type: 'mem' })).rejects.toMatchObject(tooSlow);
  });

  it('takes no more memory than witnessMemory', async () => {
    const { zkey } = await testCircuit('smallest');
    alias.configure(limits);
    const large = tinyCircuit({ memory: [2000] });
    const tooLarge = { code: 'OUT_OF_MEMORY', hint: expect.stringContaining('witnessMemory') };
    await expect(alias.groth16.fullProve({}, large, zkey)).rejects.toMatchObject(tooLarge);
    await expect(alias.wtns.calculate({}, large, { type: 'mem' })).rejects.toMatchObject(tooLarge);
  });

  it('computes a witness without workers where there are to be none, and in its worker at a place of its own', async () => {
    const circuit = await testCircuit('smallest');
    const expected = await snarkjsWitness(circuit);
    for (const prover of [{ threads: 0 }, { assets: built('') }]) {
      alias.configure({ prover: { ...standard.prover, ...prover } });
      const wtns: MemFile = { type: 'mem' };
      await alias.wtns.calculate(circuit.inputs, circuit.wasm, wtns);
      expect(wtns.data).toEqual(expected);
    }
  });
});

describe('a key of a set-up without a contribution', () => {
  it('is taken with one warning, or refused', async () => {
    const { inputs, wasm, ...keys } = await testCircuit('chain');
    const { zkey, verificationKey } = unfinished('bn254', { inputs, wasm, ...keys });
    const signals = verificationKey.IC.slice(1).map((_, i) => String(i));
    const proof = forged('bn254', verificationKey, signals);
    const warn = vi.fn();
    const toConsole = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const warning = expect.stringMatching(/^pippin-prover: anyone can forge proofs for this key/);
    for (let i = 0; i < 2; i++) {
      // The points of its vectors are those of another delta.
      await expect(alias.groth16.fullProve(inputs, wasm, zkey, { warn })).rejects.toMatchObject({
        code: 'PROOF_INVALID',
      });
      expect(await alias.groth16.verify(verificationKey, signals, proof)).toBe(true);
    }
    expect(warn.mock.calls).toEqual([[warning]]);
    expect(toConsole).not.toHaveBeenCalled();
    // Of another key, and without a logger.
    const other = { ...verificationKey, vk_alpha_1: proof.pi_a, IC: verificationKey.IC.toReversed() };
    expect(await alias.groth16.verify(other, signals, forged('bn254', other, signals))).toBe(true);
    expect(toConsole.mock.calls).toEqual([[warning]]);
    toConsole.mockRestore();

    alias.configure({ allowUnfinished: false });
    const refused = { code: 'KEY_UNFINISHED', message: expect.stringContaining('anyone can forge') };
    await expect(alias.groth16.fullProve(inputs, wasm, zkey)).rejects.toMatchObject(refused);
    await expect(alias.groth16.verify(verificationKey, signals, proof)).rejects.toMatchObject(refused);
    alias.configure({ allowUnfinished: true });
  });
});

describe('a logger', () => {
  it('is told of the phases and the outcome', async () => {
    const { inputs, wasm, zkey, verificationKey } = await testCircuit('chain');
    const lines: string[] = [];
    const logger = Object.fromEntries(
      ['debug', 'info', 'error'].map((level) => [level, (line: string) => lines.push(`${level}: ${line}`)]),
    );
    const { proof, publicSignals } = await alias.groth16.fullProve(inputs, wasm, zkey, logger);
    expect(lines).toContain('debug: witness');
    await alias.groth16.verify(verificationKey, publicSignals, proof, logger);
    await alias.groth16.verify(verificationKey, ['1', ...publicSignals.slice(1)], proof, logger);
    expect(lines.slice(-2)).toEqual(['info: OK!', 'error: Invalid proof']);
  });
});

describe('a process that forgets to end the prover', () => {
  it.each([
    ['exits when the prover was idle', { idleMs: 50 }, false],
    ['exits without waiting for the default idle time', {}, false],
    ['exits after terminate()', {}, true],
  ])('%s', async (_, options, terminates) => {
    const [zkey, wasm] = [await circuitFile('chain.zkey'), await circuitFile('chain.wasm')];
    const script = `${root}/tests/support/alias-process.mjs`;
    const args = [script, built('snarkjs-node.js'), zkey, wasm, JSON.stringify(options), String(terminates)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('2\n');
  });
});
