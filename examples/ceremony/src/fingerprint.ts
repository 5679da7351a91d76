/**
 * A contribution's hash, 128 hexadecimal digits, as people can compare it. Two hashes whose first 128 bits are the same
 * have the same words: to find a second hash with given words takes 2^128 attempts.
 */

/** Bytes of a hash that become words, two each. */
const WORD_BYTES = 16;
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';
/** Hexadecimal digits of a group, and groups of a line, as snarkjs prints a hash. */
const GROUP_DIGITS = 8;
const LINE_GROUPS = 4;

/**
 * The first 128 bits as eight words that can be read out: every 16 bits, the highest first, are consonant, vowel,
 * consonant, vowel, consonant, of 4, 2, 4, 2 and 4 bits (D. S. Wilkerson, "A Proposal for Proquints", 2009,
 * arXiv:0901.4016).
 */
export function wordsOf(hash: string): readonly string[] {
  const words = [];
  for (let at = 0; at < 2 * WORD_BYTES; at += 4) words.push(proquint(Number.parseInt(hash.slice(at, at + 4), 16)));
  return words;
}

function proquint(bits: number): string {
  const consonant = (shift: number): string => CONSONANTS[(bits >> shift) & 0xf]!;
  const vowel = (shift: number): string => VOWELS[(bits >> shift) & 3]!;
  return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0);
}

/** The hash as snarkjs prints it: lines of four groups of eight digits. */
export function linesOf(hash: string): readonly string[] {
  const groups = hash.match(new RegExp(`.{${GROUP_DIGITS}}`, 'g')) ?? [];
  const lines = [];
  for (let at = 0; at < groups.length; at += LINE_GROUPS) lines.push(groups.slice(at, at + LINE_GROUPS).join(' '));
  return lines;
}
