import { describe, expect, it } from 'vitest';
import { attestationOf } from '../../examples/ceremony/src/attestation.js';
import { CollectedEntropy } from '../../examples/ceremony/src/entropy.js';
import { failureOf } from '../../examples/ceremony/src/failures.js';
import { linesOf, wordsOf } from '../../examples/ceremony/src/fingerprint.js';
import { type DoneRecord, recordOf } from '../../examples/ceremony/src/kept/record.js';
import { nextKeyName } from '../../examples/ceremony/src/key-names.js';
import { timeLeft } from '../../examples/ceremony/src/time-left.js';

/** What the ceremony page decides and says. `npm run test:pages -- ceremony` opens the page itself. */

/** 127.0.0.1 and 63.84.220.193, two of the examples of the article on proquints, and zeros. */
const HASH = `7f0000013f54dcc1${'0'.repeat(112)}`;

describe('a hash', () => {
  it('has words of its first 128 bits', () => {
    expect(wordsOf(HASH)).toEqual(['lusab', 'babad', 'gutih', 'tugad', 'babab', 'babab', 'babab', 'babab']);
    const last = `${'0'.repeat(28)}ffff${'0'.repeat(96)}`;
    expect(wordsOf(last).at(-1)).toBe('zuzuz');
    expect(wordsOf(`${'0'.repeat(32)}${'f'.repeat(96)}`)).toEqual(Array(8).fill('babab'));
  });

  it('has the lines that snarkjs prints', () => {
    const lines = linesOf(HASH);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('7f000001 3f54dcc1 00000000 00000000');
    expect(lines.join('').replaceAll(' ', '')).toBe(HASH);
  });
});

describe('collected entropy', () => {
  it('depends on each movement and on the text, and is gone when it was taken', () => {
    const collected = (moves: readonly number[], text: string): string => {
      const entropy = new CollectedEntropy();
      for (const x of moves) entropy.move(x, 2 * x, 1000 + x);
      const all = Buffer.from(entropy.take(text)).toString('hex');
      expect(entropy.take('').every((byte) => byte === 0)).toBe(true);
      expect(entropy.fraction(0)).toBe(0);
      return all;
    };
    // More movements than there is room for are mixed in.
    const many = Array.from({ length: 1000 }, (_, i) => i);
    const other = many.with(999, 5000);
    expect(new Set([collected(many, ''), collected(other, ''), collected(many, 'a'), collected([], 'a')]).size).toBe(4);
    expect(collected(many, 'a')).toBe(collected(many, 'a'));
  });

  it('fills the meter by movements or by typing alone', () => {
    const entropy = new CollectedEntropy();
    expect(entropy.fraction(16)).toBe(0.5);
    expect(entropy.fraction(100)).toBe(1);
    for (let i = 0; i < 128; i++) entropy.move(i, i, i);
    expect(entropy.fraction(0)).toBe(0.5);
  });
});

describe('the time left', () => {
  it.each([
    [1000, 0.5, undefined],
    [10_000, 0.01, undefined],
    [9500, 0.95, 'a few seconds left'],
    [10_000, 0.5, 'about 10 s left'],
    [10_000, 0.25, 'about 30 s left'],
    [60_000, 0.25, 'about 3 min left'],
  ])('after %i ms and %d of the work', (elapsed, fraction, text) => {
    expect(timeLeft(elapsed, fraction)).toBe(text);
  });
});

describe('the new file', () => {
  it.each([
    ['note_0003.zkey', 4, 'note_0004.zkey'],
    ['note.zkey', 1, 'note_0001.zkey'],
    ['note_final.ZKEY', 12, 'note_final_0012.zkey'],
    ['.zkey', 2, 'key_0002.zkey'],
    ['no ending', 2, 'no ending_0002.zkey'],
  ])('of %s, after contribution %i', (opened, number, name) => {
    expect(nextKeyName(opened, number)).toBe(name);
  });
});

describe('the record of a visit', () => {
  const done: DoneRecord = {
    stage: 'done',
    fileName: 'note_0004.zkey',
    name: 'Ada',
    hash: HASH,
    circuitHash: HASH.split('').reverse().join(''),
    number: 4,
    date: '2026-11-27T10:00:00.000Z',
    hasKey: true,
  };

  it('is read as it was written', () => {
    expect(recordOf(JSON.stringify(done))).toEqual(done);
    const opened = { stage: 'computing', fileName: 'a.zkey', name: '' };
    expect(recordOf(JSON.stringify(opened))).toEqual(opened);
  });

  it.each([
    '',
    'null',
    '5',
    '{"stage":"done"}',
    '{"stage":"opened","fileName":"a.zkey"}',
    '{"stage":"other","fileName":"a.zkey","name":""}',
    JSON.stringify({ ...done, hash: 'ff' }),
    JSON.stringify({ ...done, number: '4' }),
  ])('is none: %s', (text) => {
    expect(recordOf(text)).toBeUndefined();
  });

  it('gives the attestation, with both hashes in full', () => {
    const text = attestationOf(done);
    const digits = text.replace(/\s/g, '');
    expect(digits).toContain(done.hash);
    expect(digits).toContain(done.circuitHash);
    for (const part of ['Name: Ada', 'contribution 4', done.date, 'lusab babad gutih tugad'])
      expect(text).toContain(part);
    expect(attestationOf({ ...done, name: '' })).not.toContain('Name');
  });
});

describe('a failure', () => {
  it('has words for the visitor, by what the page was doing', () => {
    expect(failureOf('MALFORMED_FILE', 'opening').headline).toBe('This is not a key, or a damaged one');
    expect(failureOf('IO_FAILED', 'opening').headline).toBe('The file cannot be read');
    expect(failureOf('IO_FAILED', 'computing').headline).toContain('could not be written');
    expect(failureOf('none of them', 'opening').headline).toBe('Something went wrong that should not');
  });
});
