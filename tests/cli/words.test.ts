import { describe, expect, it } from 'vitest';
import { describeRecord } from '../../sdk/cli/cache-record.js';
import { withHint } from '../../sdk/cli/hints.js';
import { snarkjsPointer } from '../../sdk/cli/snarkjs-words.js';
import { bytesText, msText, sinceText, table } from '../../sdk/cli/text.js';
import { PippinError } from '../../sdk/errors.js';

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
    ['zkey export verificationkey a.zkey', 'pippin vkey --zkey a.zkey --out verification_key.json'],
    ['zkesc', 'pippin calldata --public public.json --proof proof.json'],
    ['wtns calculate c.wasm in.json w.wtns', 'pippin witness --wasm c.wasm --input in.json --out w.wtns'],
    ['R1CS info c.r1cs', 'pippin info c.r1cs'],
  ])('translates %s', (line, expected) => {
    const pointer = snarkjsPointer(line.split(' '));
    expect(pointer).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expected });
  });

  it('quotes for the shell', () => {
    expect(snarkjsPointer(['r1cs', 'info', "it's a $file.r1cs"])?.hint).toBe("pippin info 'it'\\''s a $file.r1cs'");
  });

  it.each(['plonk prove a b c d', 'powersoftau new bn128 12', 'zkey contribute a b', 'groth16 setup', 'wtns check'])(
    'says that Pippin does not have %s',
    (line) => {
      expect(snarkjsPointer(line.split(' '))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        hint: expect.stringContaining('use snarkjs for it'),
      });
    },
  );

  it.each(['prove --zkey a', 'fly', ''])('leaves %j alone', (line) => {
    expect(snarkjsPointer(line.split(' '))).toBeUndefined();
  });
});

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
});

describe('describeRecord', () => {
  const of = (key: string, isComplete = true) => describeRecord({ key, isComplete });
  const hash = 'ab'.repeat(32);

  it.each([
    [`v3/groth16/bn254/12/${hash}`, 'proving key', 'bn254', 12],
    [`v3/bases/bls12-377/g1/members/96/${hash}`, 'points', 'bls12-377', 96],
    [`v3/multiples/groth16/bn254/A/8x2x4/12/${hash}`, 'multiples of proving key', 'bn254', 12],
    [`v2/groth16/bn254/12/${hash}`, 'proving key, of another version', 'bn254', 12],
    [`v3/plonk/bn254/12/${hash}`, 'unknown', 'bn254', 12],
  ])('%s', (key, kind, curve, bytes) => {
    expect(of(key)).toEqual({ kind, curve, source: { bytes, hash } });
  });

  it('of other records', () => {
    expect(of('map/2')).toEqual({ kind: 'performance map' });
    expect(of(`file/url/${hash}`)).toEqual({ kind: 'downloaded file' });
    expect(of(`file/sha256/${hash}`, false)).toEqual({ kind: 'downloaded file, incomplete' });
    expect(of('something')).toEqual({ kind: 'unknown' });
    expect(of(`v3/groth16/bn254/12/${hash}`, false).kind).toBe('proving key, incomplete');
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
