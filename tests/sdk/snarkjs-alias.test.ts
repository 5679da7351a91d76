import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROTH16_CURVES } from '../../sdk/snarkjs/known-curves.js';
import type * as Alias from '../../sdk/snarkjs-node.js';
import type { MemFile } from '../../sdk/snarkjs-node.js';
import {
  chainOver,
  circuitFile,
  MAKING_TIMEOUT,
  snarkjsProof,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { root } from '../support/root.js';

let alias: typeof Alias;
beforeAll(async () => {
  await testCircuit('chain');
  alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
  // snarkjs itself runs beside it, and would take the stand-ins for its own curves.
  alias.configure({ prover: { backend: 'wasm', threads: 2, cache: false }, curveGlobals: false });
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
    await expect(alias.zKey.newZKey('c.r1cs', 'p.ptau', 'c.zkey')).rejects.toMatchObject({
      code: 'UNSUPPORTED_CALL',
      message: expect.stringContaining('zKey.newZKey()'),
      hint: expect.stringContaining('snarkjs itself'),
    });
    for (const call of [alias.plonk.prove, alias.fflonk.setup, alias.powersOfTau.beacon, alias.r1cs.print]) {
      await expect(call()).rejects.toMatchObject({ code: 'UNSUPPORTED_CALL' });
    }
  });

  it('has curves whose terminate does no harm, and which say what they are not', async () => {
    for (const { snarkjs: names, fq, fr } of GROTH16_CURVES) {
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

describe.each(GROTH16_CURVES.map(({ id }) => id))('pippin-prover/snarkjs over %s', (curve) => {
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

  it('tells of a constraint system what snarkjs tells, and logs it', async () => {
    const name = GROTH16_CURVES.find(({ id }) => id === curve)!.snarkjs.name;
    const path = await circuitFile(name === 'bn128' ? 'chain.r1cs' : `${name}/chain.r1cs`);
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
  const globals = globalThis as { curve_bn128?: { terminate(): Promise<void> } | undefined };

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
      }
    } finally {
      globals.curve_bn128 = before;
    }
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
