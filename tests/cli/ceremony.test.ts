import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstKey } from '../ceremony/first-key.js';
import { circuitFile, fflonkCircuit, MAKING_TIMEOUT, plonkCircuit } from '../support/circuits.js';
import { pippin, runHere } from '../support/cli.js';
import { withSection } from '../support/section-bytes.js';

describe('pippin ceremony', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-ceremony-'));
    await writeFile(at('0.zkey'), (await firstKey('bn254')).zkey);
    await writeFile(at('entropy'), 'some text');
  }, MAKING_TIMEOUT);
  afterAll(() => rm(folder, { recursive: true }));

  it('makes a first key and verifies it from the circuit', async () => {
    const { r1cs, ptau, zkey } = await firstKey('bn254');
    const files = ['--r1cs', r1cs, '--ptau', ptau];
    const made = await pippin('ceremony', 'new', ...files, '--out', at('new.zkey'), '--threads', '1');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('new.zkey is written') });
    expect(zkey).toEqual(new Uint8Array(await readFile(at('new.zkey'))));
    expect(await pippin('ceremony', 'verify', '--zkey', at('new.zkey'), ...files)).toMatchObject({ code: 0 });
    const other = await runHere(['ceremony', 'verify', '--zkey', at('new.zkey'), '--r1cs', r1cs]);
    expect(other).toMatchObject({ code: 2, errors: [expect.stringContaining('--ptau')] });
    for (const args of [
      ['new'],
      ['new', '--r1cs', r1cs, '--ptau', ptau],
      ['new', ...files, '--out', r1cs],
      ['verify'],
    ]) {
      expect(await runHere(['ceremony', ...args])).toMatchObject({ code: 2 });
    }
  });

  it.each(['plonk', 'fflonk'] as const)('makes a %s key', async (protocol) => {
    const files = ['--r1cs', await circuitFile('chain.r1cs'), '--ptau', await circuitFile('pot9.ptau')];
    const made = await pippin('ceremony', 'new', '--protocol', protocol, ...files, '--out', at('made.zkey'));
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('43 gates on a domain of 64') });
    const { zkey } = await (protocol === 'plonk' ? plonkCircuit('chain') : fflonkCircuit('chain'));
    expect(zkey).toEqual(new Uint8Array(await readFile(at('made.zkey'))));
    const json = await pippin('ceremony', 'new', '--protocol', protocol, ...files, '--out', at('made.zkey'), '--json');
    expect(JSON.parse(json.stdout)).toEqual({ file: at('made.zkey'), gates: 43, domainSize: 64 });
    const wrong = ['ceremony', 'new', '--protocol', 'plink', ...files, '--out', at('made.zkey')];
    expect(await runHere(wrong)).toMatchObject({ code: 2 });
  });

  it('contributes, ends with a beacon and verifies', async () => {
    const one = await pippin('ceremony', 'contribute', '--zkey', at('0.zkey'), '--out', at('1.zkey'), '--name', 'Ada');
    expect(one).toMatchObject({ code: 0 });
    const [, ...hash] = one.stdout.split(/\n/);
    const entropy = ['--entropy', at('entropy'), '--json'];
    const two = await pippin('ceremony', 'contribute', '--zkey', at('1.zkey'), '--out', at('2.zkey'), ...entropy);
    const beacon = ['--hash', '0a0b', '--iterations', '11', '--threads', '1'];
    await pippin('ceremony', 'beacon', '--zkey', at('2.zkey'), '--out', at('3.zkey'), ...beacon);
    const told = await pippin('ceremony', 'verify', '--zkey', at('3.zkey'), '--first', at('0.zkey'));
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Contribution 1: Ada\n${hash.join('\n').trimEnd()}`),
    });
    expect(told.stdout).toContain('Contribution 3 (beacon 0a0b, 2^11 iterations)');
    const limited = ['verify', '--zkey', at('3.zkey'), '--first', at('0.zkey'), '--max-beacon-iterations'];
    expect(await pippin('ceremony', ...limited, '11')).toMatchObject({ code: 0 });
    expect(await pippin('ceremony', ...limited, '10')).toMatchObject({
      code: 2,
      errors: expect.arrayContaining([expect.stringContaining('--max-beacon-iterations allows more')]),
    });
    expect(await runHere(['ceremony', ...limited, '9'])).toMatchObject({ code: 2 });
    const report = await pippin('ceremony', 'verify', '--zkey', at('3.zkey'), '--first', at('0.zkey'), '--json');
    expect(JSON.parse(report.stdout).contributions[1].hash).toBe(JSON.parse(two.stdout).hash);
  });

  it("exports bellman's parameters, contributes to them and imports them", async () => {
    const ceremony = (...args: string[]) => pippin('ceremony', ...args);
    const params = ['--params', at('0.params')];
    expect(await ceremony('export-bellman', '--zkey', at('0.zkey'), '--out', at('0.params'))).toMatchObject({
      code: 0,
    });
    const one = await ceremony('contribute-bellman', ...params, '--curve', 'bn254', '--out', at('1.params'), '--json');
    const given = ['--zkey', at('0.zkey'), '--params', at('1.params'), '--out', at('imported.zkey')];
    const imported = await ceremony('import-bellman', ...given, '--name', 'Ada', '--json');
    expect(JSON.parse(imported.stdout).hashes).toEqual([JSON.parse(one.stdout).hash]);
    const verified = await ceremony('verify', '--zkey', at('imported.zkey'), '--first', at('0.zkey'));
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('Contribution 1: Ada') });
    const wrong = ['ceremony', 'contribute-bellman', ...params, '--out', at('2.params')];
    expect(await runHere(wrong)).toMatchObject({ code: 2 });
  });

  it('begins powers of tau, contributes, ends with a beacon, prepares and verifies', async () => {
    const powers = (...args: string[]) => pippin('powers-of-tau', ...args);
    expect(await powers('new', '--curve', 'bn254', '--power', '2', '--out', at('0.ptau'))).toMatchObject({ code: 0 });
    const one = await powers('contribute', '--ptau', at('0.ptau'), '--out', at('1.ptau'), '--name', 'Ada');
    const [, ...hash] = one.stdout.split(/\n/);
    const beacon = ['--hash', '0a0b', '--iterations', '10', '--threads', '1'];
    await powers('beacon', '--ptau', at('1.ptau'), '--out', at('2.ptau'), ...beacon);
    expect(await powers('prepare', '--ptau', at('2.ptau'), '--out', at('3.ptau'))).toMatchObject({ code: 0 });
    const told = await powers('verify', '--ptau', at('3.ptau'));
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Contribution 1: Ada\n${hash.join('\n').trimEnd()}`),
    });
    expect(told.stdout).toContain('2^2 over bn254, prepared for phase 2.');
    expect(await powers('verify', '--ptau', at('0.ptau'))).toMatchObject({ code: 1 });
    const limit = ['--max-beacon-iterations', '10'];
    expect(await powers('verify', '--ptau', at('3.ptau'), ...limit)).toMatchObject({ code: 0 });
    const truncated = ['--ptau', at('3.ptau'), '--power', '1', '--out', at('4.ptau')];
    expect(await powers('truncate', ...truncated)).toMatchObject({ code: 0 });
    const prepared = await readFile(at('3.ptau'));
    const old = withSection(new Uint8Array(prepared), 12, (body) => body.slice(0, 7 * 64));
    await writeFile(at('old.ptau'), old);
    const converted = ['--ptau', at('old.ptau'), '--out', at('converted.ptau')];
    expect(await powers('convert', ...converted)).toMatchObject({ code: 0 });
    expect((await readFile(at('converted.ptau'))).equals(prepared)).toBe(true);
    const json = ['--ptau', at('3.ptau'), '--out', at('3.json')];
    expect(await powers('export-json', ...json)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(at('3.json'), 'utf8'))).toMatchObject({
      power: 2,
      contributions: [{ name: 'Ada' }, {}],
    });
    const files = ['--challenge', at('challenge'), '--out', at('response')];
    const challenge = await powers('challenge', '--ptau', at('1.ptau'), '--out', at('challenge'), '--json');
    const response = await powers('respond', '--curve', 'bn254', ...files, '--entropy', at('entropy'), '--json');
    expect(JSON.parse(response.stdout).challenge).toBe(JSON.parse(challenge.stdout).challenge);
    const given = ['--ptau', at('1.ptau'), '--response', at('response'), '--out', at('5.ptau')];
    const imported = await powers('import', ...given, '--name', 'Grace', '--json');
    expect(JSON.parse(imported.stdout).hash).toBe(JSON.parse(response.stdout).hash);
    expect(await powers('verify', '--ptau', at('5.ptau'))).toMatchObject({ code: 0 });
    for (const args of [['new'], ['prepare', '--ptau', at('1.ptau')], ['verify'], ['respond', ...files], ['import']]) {
      expect(await runHere(['powers-of-tau', ...args])).toMatchObject({ code: 2 });
    }
  });

  it('ends with 1 for a key that is not valid, and with an error for wrong options', async () => {
    await pippin('ceremony', 'contribute', '--zkey', at('0.zkey'), '--out', at('a.zkey'));
    await pippin('ceremony', 'contribute', '--zkey', at('0.zkey'), '--out', at('b.zkey'));
    const [a, b] = await Promise.all([readFile(at('a.zkey')), readFile(at('b.zkey'))]);
    // The history of another contribution.
    const history = a.length - 900;
    await writeFile(at('c.zkey'), Buffer.concat([a.subarray(0, history), b.subarray(history)]));
    const invalid = await pippin('ceremony', 'verify', '--zkey', at('c.zkey'), '--first', at('0.zkey'));
    expect(invalid).toMatchObject({ code: 1, stdout: expect.stringContaining('The key is not valid: ') });
    for (const args of [['contribute'], ['verify'], ['beacon', '--out', at('d.zkey')]]) {
      expect(await runHere(['ceremony', ...args, '--zkey', at('0.zkey')])).toMatchObject({ code: 2 });
    }
    const over = await runHere(['ceremony', 'contribute', '--zkey', at('0.zkey'), '--out', at('0.zkey')]);
    expect(over).toMatchObject({ code: 2 });
  });
});
