import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeRecord } from '../../sdk/cli/commands/cache.js';
import { COMMANDS } from '../../sdk/cli/commands/index.js';
import { snarkjsPointer } from '../../sdk/cli/snarkjs-words.js';
import { bytesText, lineText, msText, sinceText, table } from '../../sdk/cli/text.js';
import { FORMAT_VERSION } from '../../sdk/files/cache/record-key.js';
import { root } from '../support/root.js';

describe('snarkjsPointer', () => {
  it.each([
    [
      'groth16 prove a.zkey w.wtns p.json s.json',
      'pippin prove --zkey a.zkey --witness w.wtns --proof p.json --public s.json',
    ],
    ['g16p', 'pippin prove --zkey circuit_final.zkey --witness witness.wtns --proof proof.json --public public.json'],
    [
      'groth16 fullprove in.json c.wasm a.zkey -v',
      'pippin fullprove --input in.json --wasm c.wasm --zkey a.zkey --proof proof.json --public public.json',
    ],
    ['g16v vk.json s.json p.json', 'pippin verify --vkey vk.json --public s.json --proof p.json'],
    ['plonk prove a.zkey', 'pippin prove --zkey a.zkey --witness witness.wtns --proof proof.json --public public.json'],
    [
      'pkf in.json c.wasm a.zkey',
      'pippin fullprove --input in.json --wasm c.wasm --zkey a.zkey --proof proof.json --public public.json',
    ],
    ['pkv vk.json s.json p.json', 'pippin verify --vkey vk.json --public s.json --proof p.json'],
    ['zkey export verificationkey a.zkey', 'pippin vkey --zkey a.zkey --out verification_key.json'],
    ['zkesc', 'pippin calldata --public public.json --proof proof.json'],
    ['wtns calculate c.wasm in.json w.wtns', 'pippin witness --wasm c.wasm --input in.json --out w.wtns'],
    ['R1CS info c.r1cs', 'pippin info c.r1cs'],
    [
      'zksnark proof a.zkey w.wtns',
      'pippin prove --zkey a.zkey --witness w.wtns --proof proof.json --public public.json',
    ],
    ['proof a.zkey', 'pippin prove --zkey a.zkey --witness witness.wtns --proof proof.json --public public.json'],
    ['ZKEV a.zkey', 'pippin vkey --zkey a.zkey --out verification_key.json'],
  ])('translates %s', (line, expected) => {
    const pointer = snarkjsPointer(line.split(' '));
    expect(pointer).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expected });
  });

  it('quotes for the shell', () => {
    expect(snarkjsPointer(['r1cs', 'info', "it's a $file.r1cs"])?.hint).toBe("pippin info 'it'\\''s a $file.r1cs'");
  });

  it.each([
    'plonk setup a b c',
    'fflonk prove a b c d',
    'powersoftau new bn128 12',
    'zkey contribute a b',
    'groth16 setup',
    'wtns check',
    'ptn bn128 12',
    'setup -r c.r1cs',
    'witness verify c.r1cs w.wtns',
  ])('says that Pippin does not have %s', (line) => {
    expect(snarkjsPointer(line.split(' '))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining('use snarkjs for it'),
    });
  });

  it('tells the name alone of a command with a short one, and of which system it is', () => {
    expect(snarkjsPointer(['ptn', 'bn128', '12'])?.message).toMatch(/ got one of snarkjs: ptn$/);
    expect(snarkjsPointer(['ffp', 'a'])?.hint).toContain('its proofs are of Groth16 and PLONK');
    expect(snarkjsPointer(['pks', 'a'])?.hint).not.toContain('its proofs');
    expect(snarkjsPointer(['zkc', 'a'])?.hint).not.toContain('its proofs are of Groth16');
  });

  it("knows every name of snarkjs' commands that is no command of ours", async () => {
    const text = await readFile(`${root}/node_modules/snarkjs/build/cli.cjs`, 'utf8');
    const start = text.indexOf('const commands = [');
    const commands = text.slice(start, text.indexOf('\n];', start));
    const lines = [...commands.matchAll(/cmd: "([^"]+)"|alias: \[(.*)\]/g)].flatMap(([, name, aliases]) =>
      name === undefined ? [...aliases!.matchAll(/"([^"]+)"/g)].map(([, alias]) => alias!) : [name],
    );
    const names = lines.map((line) => /^[a-z0-9]+( [a-z0-9]+)*/.exec(line)![0]);
    expect(names.length).toBeGreaterThan(80);
    const ours = COMMANDS.map(({ name }) => name);
    expect(names.filter((name) => snarkjsPointer(name.split(' ')) === undefined && !ours.includes(name))).toEqual([]);
    expect(ours.filter((name) => snarkjsPointer([name]) !== undefined)).toEqual([]);
  });

  it.each(['prove --zkey a', 'witness --wasm a', 'fly', ''])('leaves %j alone', (line) => {
    expect(snarkjsPointer(line.split(' '))).toBeUndefined();
  });
});

describe('describeRecord', () => {
  const of = (key: string, isComplete = true) => describeRecord({ key, isComplete });
  const hash = 'ab'.repeat(32);
  const version = `v${FORMAT_VERSION}`;

  it.each([
    [`${version}/groth16/bn254/12/${hash}`, 'proving key', 'bn254', 12],
    [`${version}/bases/bls12-377/g1/members/96/${hash}`, 'points', 'bls12-377', 96],
    [`${version}/multiples/groth16/bn254/A/8x2x4/12/${hash}`, 'multiples of proving key', 'bn254', 12],
    [`v2/groth16/bn254/12/${hash}`, 'proving key, of another version', 'bn254', 12],
    [`${version}/plonk/bn254/12/${hash}`, 'proving key', 'bn254', 12],
    [`${version}/fflonk/bn254/12/${hash}`, 'proving key', 'bn254', 12],
    [`${version}/marlin/bn254/12/${hash}`, 'unknown', 'bn254', 12],
  ])('%s', (key, kind, curve, bytes) => {
    expect(of(key)).toEqual({ kind, curve, source: { bytes, hash } });
  });

  it('of other records', () => {
    expect(of('map/2')).toEqual({ kind: 'performance map' });
    expect(of(`file/url/${hash}`)).toEqual({ kind: 'downloaded file' });
    expect(of(`file/sha256/${hash}`, false)).toEqual({ kind: 'downloaded file, incomplete' });
    expect(of('something')).toEqual({ kind: 'unknown' });
    expect(of(`${version}/groth16/bn254/12/${hash}`, false).kind).toBe('proving key, incomplete');
  });
});

describe('texts', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1.0 KiB'],
    [3_346_265, '3.2 MiB'],
    [5 * 2 ** 40, '5.0 TiB'],
    [2 ** 52, '4096.0 TiB'],
  ])('%d bytes', (bytes, expected) => {
    expect(bytesText(bytes)).toBe(expected);
  });

  it.each([
    ['', ''],
    ['spend key-ä漢😀.zkey', 'spend key-ä漢😀.zkey'],
    ['a\tb\r\n\u0000\u007f', 'a\\u{9}b\\u{d}\\u{a}\\u{0}\\u{7f}'],
    ['\u200b\u2028\u2066', '\\u{200b}\\u{2028}\\u{2066}'],
    ['\ud83d', '\\u{d83d}'],
    ['x'.repeat(41), 'x'.repeat(40)],
  ])('%j in one line', (text, expected) => {
    expect(lineText(text, 40)).toBe(expected);
  });

  it.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [60 * 60_000, '1 hour ago'],
    [47 * 3_600_000, '47 hours ago'],
    [48 * 3_600_000, '2 days ago'],
    [-5000, 'just now'],
  ])('%d ms ago', (ms, expected) => {
    expect(sinceText(new Date(1e12 - ms), new Date(1e12))).toBe(expected);
  });

  it.each([
    [0, '0 ms'],
    [1.2345, '1.23 ms'],
    [99.96, '100 ms'],
    [1234.5, '1235 ms'],
    [10_000, '10.0 s'],
  ])('%d ms', (ms, expected) => {
    expect(msText(ms)).toBe(expected);
  });

  it('in columns', () => {
    expect(
      table([
        ['a', 'long', ''],
        ['bbb', 'c', ''],
      ]),
    ).toBe('a    long\nbbb  c');
  });
});
