import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRepeats } from '../../scripts/lib/fold-repeats.mjs';
import { compactWgsl } from '../../scripts/lib/wgsl.mjs';
import { expandRepeats } from '../../sdk/executors/gpu/load-shader.js';
import { root } from '../support/root.js';

describe('foldRepeats and expandRepeats', () => {
  it.each([
    ['$3|ab$', 'ababab'],
    ['x$2|s#0?=t#9,-4?;$y', 'xs0=t9;s1=t5;y'],
    ['$3|q*#(7,7,400?u+$', 'q*7u+q*7u+q*400u+'],
    ["@2|f'1?($2|a['8,8?+#0?]$)@", 'f1(a[8+0]a[8+1])f2(a[16+0]a[16+1])'],
    ["@2|$2|s#'3??y$@", 's3ys4ys4ys5y'],
  ])('expands %s', (folded, text) => {
    expect(expandRepeats(folded)).toBe(text);
  });

  const generated = `${root}/shaders/generated`;
  it.each(readdirSync(generated).filter((name) => name.endsWith('.wgsl')))(
    'gives back %s, shortened by half',
    (file) => {
      const text = compactWgsl(readFileSync(`${generated}/${file}`, 'utf8'));
      const folded = foldRepeats(text);
      expect(expandRepeats(folded)).toBe(text);
      expect(folded.length).toBeLessThan(text.length / 2);
      expect(expandRepeats(text)).toBe(text);
    },
  );

  it.each([
    '',
    '0',
    'a',
    '00000000000',
    'a1a02a3a4',
    '9007199254740991+9007199254740992+9007199254740993+9007199254740994+',
  ])('gives back %j', (text) => {
    expect(expandRepeats(foldRepeats(text))).toBe(text);
  });

  it('gives back whatever is folded', () => {
    const token = fc.constantFrom(
      'a',
      'b_',
      ' ',
      '+',
      '|',
      ',',
      '(',
      '-',
      '0',
      '1',
      '2',
      '3',
      '10',
      '007',
      '4294967295u',
    );
    const turn = fc
      .tuple(fc.array(token, { maxLength: 6 }), fc.nat(5))
      .map(([part, count]) => part.join('').repeat(count));
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(expandRepeats(foldRepeats(text))).toBe(text);
      }),
    );
  });

  it.each([..."$#@'?"])('refuses text with the mark %s', (mark) => {
    expect(() => foldRepeats(`a${mark}`)).toThrow('expected text without the marks of runs');
  });
});
