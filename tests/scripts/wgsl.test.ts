import { describe, expect, it } from 'vitest';
import { compactWgsl } from '../../scripts/lib/wgsl.mjs';

describe('compactWgsl', () => {
  it('drops comments, indentation and empty lines, and nothing else', () => {
    const text = '// A comment.\n\nfn f() -> u32 {\n  // Another.\n  let a = 6u / 2u; // And one.\n\n  return a;\n}\n';
    expect(compactWgsl(text)).toBe('fn f() -> u32 {\nlet a = 6u / 2u;\nreturn a;\n}');
    expect(compactWgsl('')).toBe('');
  });

  it('refuses a block comment, which it would not find', () => {
    expect(() => compactWgsl('/* one */ const A = 1u;')).toThrow('expected WGSL with line comments alone');
  });
});
