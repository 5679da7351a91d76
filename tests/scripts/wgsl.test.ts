import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compactWgsl } from '../../scripts/lib/wgsl.mjs';
import { root } from '../support/root.js';

/**
 * The tokens of WGSL: words and numbers, operators of the language (WGSL, section 3.8), and other characters by
 * themselves.
 */
const TOKEN = /[\w.@]+|<<=|>>=|->|\+\+|--|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^]=|\S/g;
const tokens = (text: string) => text.replaceAll(/\/\/.*/g, '').match(TOKEN) ?? [];

describe('compactWgsl', () => {
  it('drops comments and the space that parts nothing', () => {
    const text = '// A comment.\n\nfn f() -> u32 {\n  // Another.\n  let a = 6u / 2u; // And one.\n\n  return a;\n}\n';
    expect(compactWgsl(text)).toBe('fn f()->u32{let a=6u/2u;return a;}');
    expect(compactWgsl('')).toBe('');
  });

  it.each([
    ['a - -b', 'a- -b'],
    ['a / *b', 'a/ *b'],
    ['a & &b', 'a& &b'],
    ['let v: vec2<u32> = x;', 'let v:vec2<u32> =x;'],
    ['@compute @workgroup_size(64) fn main', '@compute @workgroup_size(64)fn main'],
  ])('keeps what would become another token: %s', (text, expected) => {
    expect(compactWgsl(text)).toBe(expected);
  });

  it('refuses a block comment, which it would not find', () => {
    expect(() => compactWgsl('/* one */ const A = 1u;')).toThrow('expected WGSL with line comments alone');
  });

  const shaders = readdirSync(`${root}/shaders`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.wgsl'),
  );
  it.each(shaders)('leaves the tokens of %s as they are', (file) => {
    const text = readFileSync(`${root}/shaders/${file}`, 'utf8');
    const compact = compactWgsl(text);
    expect(tokens(compact)).toEqual(tokens(text));
    expect(compact.length).toBeLessThan(text.length);
  });
});
