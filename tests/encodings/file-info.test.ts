import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlonkVerificationKey } from '../../sdk/api/index.js';
import { CURVES } from '../../sdk/curves/index.js';
import { exportVerificationKey, type FileInfo, readInfo, type WtnsInfo } from '../../sdk/encodings-node.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import {
  chainOver,
  circuitFile,
  fflonkCircuit,
  MAKING_TIMEOUT,
  PLONK_CIRCUITS,
  plonkCircuit,
  snarkjsWitness,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../support/example.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection, zkeyChunks } from '../support/section-bytes.js';

beforeAll(async () => {
  await testCircuit('chain');
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

/** The r1cs of `chain` over a curve. */
const chainR1cs = (snarkjsName: string): Promise<string> =>
  circuitFile(snarkjsName === 'bn128' ? 'chain.r1cs' : `${snarkjsName}/chain.r1cs`);

describe.each(KEY_CURVES)('readInfo over $id', ({ id, fr, snarkjs: names }) => {
  afterAll(() => endSnarkjsOver(id));
  const field = `${CURVES[id].name}'s scalar field`;

  it('tells of a constraint system what snarkjs tells', async () => {
    const path = await chainR1cs(names.name);
    const info = await readInfo(path);
    const { prime, nVars, nOutputs, nPubInputs, nPrvInputs, nLabels, nConstraints, useCustomGates } =
      await snarkjs.r1cs.info(path);
    expect(info).toEqual({
      kind: 'r1cs',
      bytes: readFileSync(path).length,
      curve: id,
      field,
      prime: String(prime),
      variables: nVars,
      constraints: nConstraints,
      publicOutputs: nOutputs,
      publicInputs: nPubInputs,
      privateInputs: nPrvInputs,
      labels: nLabels,
      customGates: useCustomGates,
    });
  });

  it('tells of a key how many constraints its circuit has, and of a witness how many values', async () => {
    const circuit = await chainOver(id);
    const r1cs = (await readInfo(await chainR1cs(names.name))) as Extract<FileInfo, { kind: 'r1cs' }>;
    const wtns = await snarkjsWitness(circuit);
    const common = { curve: id, field, prime: String(fr.modulus), variables: r1cs.variables };
    expect(await readInfo(circuit.zkey)).toMatchObject({
      ...common,
      kind: 'zkey',
      protocol: 'groth16',
      bytes: circuit.zkey.length,
      publicSignals: r1cs.publicOutputs + r1cs.publicInputs,
      constraints: r1cs.constraints,
      contributions: 1,
    });
    expect(await readInfo(wtns)).toEqual({ ...common, kind: 'wtns', bytes: wtns.length });
  });

  it('has the verification key that snarkjs exports', async () => {
    const { zkey, verificationKey } = await chainOver(id);
    expect(JSON.stringify(await exportVerificationKey(zkey))).toBe(JSON.stringify(verificationKey));
  });
});

describe('readInfo', () => {
  it('takes bytes, a Blob, a path, a URL and chunks', async () => {
    const path = await circuitFile('chain.zkey');
    const bytes = new Uint8Array(readFileSync(path));
    const expected = await readInfo(bytes);
    const others = [bytes.buffer, new Blob([bytes]), pathToFileURL(path), pathToFileURL(path).href, path];
    for (const source of others) expect(await readInfo(source)).toEqual(expected);
    const { verificationKey } = await testCircuit('chain');
    for (const source of others) expect(await exportVerificationKey(source)).toEqual(verificationKey);
    expect(await readInfo(zkeyChunks(bytes))).toEqual(expected);
  });

  it('tells the constraints of every circuit with a key', async () => {
    for (const name of ['smallest', 'matrix', 'flags', 'hash']) {
      const [zkey, r1cs] = [
        await readInfo(await circuitFile(`${name}.zkey`)),
        await readInfo(await circuitFile(`${name}.r1cs`)),
      ] as Extract<FileInfo, { kind: 'zkey' | 'r1cs' }>[];
      expect(zkey!.constraints).toBe(r1cs!.constraints);
    }
  });

  it('describes a key of PLONK', async () => {
    const zkey: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
    await snarkjs.plonk.setup(await circuitFile('chain.r1cs'), await circuitFile('pot6.ptau'), zkey);
    const info = await readInfo(zkey.data!);
    expect(info).toMatchObject({ kind: 'zkey', protocol: 'plonk', curve: 'bn254' });
    const witness = await readInfo(await snarkjsWitness(await testCircuit('chain')));
    expect(info).toMatchObject({
      publicSignals: 2,
      variables: (witness as WtnsInfo).variables,
      additions: expect.any(Number),
      constraints: expect.any(Number),
    });
  });

  it.each(PLONK_CIRCUITS)('exports the verification key of a key of PLONK (%s)', async (name) => {
    const { zkey, verificationKey } = await plonkCircuit(name);
    expect(await exportVerificationKey<PlonkVerificationKey>(zkey)).toEqual(verificationKey);
  });

  it('exports the verification key of an FFLONK key as snarkjs does', async () => {
    const { zkey, verificationKey } = await fflonkCircuit('smallest');
    expect(await exportVerificationKey(zkey)).toEqual(verificationKey);
  });

  it('describes files over fields without a curve of ours', async () => {
    const goldilocks = 2n ** 64n - 2n ** 32n + 1n;
    const path = await circuitFile('chain.r1cs');
    const header = sectionsOf(new Uint8Array(readFileSync(path))).find(([id]) => id === 1)![1];
    const prime = new Uint8Array(new BigUint64Array([goldilocks]).buffer);
    const file = sectionFile('r1cs', 1, [[1, new Uint8Array([...u32(8), ...prime, ...header.slice(36)])]]);
    expect(await readInfo(file)).toMatchObject({
      kind: 'r1cs',
      curve: undefined,
      field: 'the Goldilocks field',
      prime: String(goldilocks),
    });
  });

  it('does not know the constraints of a key without the rows of public signals, or contributions it has not', async () => {
    const { zkey } = await testCircuit('chain');
    const empty = withSection(zkey, 4, () => u32(0));
    expect(await readInfo(empty)).toMatchObject({ coefficients: 0, constraints: undefined });
    const swapped = withSection(zkey, 4, (rows) => patched(rows, rows.length - 44, u32(1)));
    expect(await readInfo(swapped)).toMatchObject({ constraints: undefined });
    const unsaid = sectionFile('zkey', 1, sectionsOf(zkey).slice(0, -1));
    expect(await readInfo(unsaid)).toMatchObject({ contributions: undefined });
  });

  it.each([
    ['nothing', new Uint8Array(), 'MALFORMED_FILE'],
    ['another file', new TextEncoder().encode('<html>'), 'MALFORMED_FILE'],
    ['a .zkey of another version', sectionFile('zkey', 2, []), 'UNSUPPORTED_FORMAT'],
    ['a .zkey without sections', sectionFile('zkey', 1, []), 'MALFORMED_FILE'],
    ['a .zkey of another proof system', sectionFile('zkey', 1, [[1, u32(7)]]), 'UNSUPPORTED_FORMAT'],
    ['a .wtns without a header', sectionFile('wtns', 2, []), 'MALFORMED_FILE'],
    ['a .r1cs of another version', sectionFile('r1cs', 2, []), 'UNSUPPORTED_FORMAT'],
    ['a .r1cs whose header is short', sectionFile('r1cs', 1, [[1, new Uint8Array([1, 0, 0, 0, 7])]]), 'MALFORMED_FILE'],
    ['a file that is not there', '/nowhere/chain.zkey', 'IO_FAILED'],
    ['what is no source', 7 as unknown as string, 'INVALID_ARGUMENT'],
  ])('refuses %s', async (_, source, code) => {
    expect((await failureOf(() => readInfo(source))).code).toBe(code);
  });

  it('ends when it is aborted', async () => {
    const { zkey } = await testCircuit('chain');
    const signal = AbortSignal.abort();
    expect((await failureOf(() => readInfo(zkey, { signal }))).code).toBe('ABORTED');
  });
});
