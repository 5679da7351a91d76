import asc from 'assemblyscript/asc';
import { describe, expect, it } from 'vitest';
import { expectLinkable } from '../../scripts/generate/expect-linkable.js';
import { ARITHMETIC } from '../../sdk/files/witness/exchange/generated/arithmetic.js';
import { COPY_WITNESS, EXCHANGED_NAMES } from '../../sdk/files/witness/exchange/known-functions.js';

/** A module that exports a function for each name, and more source. */
async function compiled(
  more: string,
  names: readonly string[] = [...EXCHANGED_NAMES, 'copyNumbers', COPY_WITNESS],
): Promise<Uint8Array> {
  const functions = names.map((name) => `export function ${name}(a: usize): void { store<u64>(a, work(a)); }`);
  const source = `${more.includes('function work') ? '' : 'function work(a: usize): u64 { return a; }'}\n${functions.join('\n')}\n${more}`;
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ['a.ts', '--outFile', 'a.wasm', '-O', '--importMemory', '--runtime', 'stub', '--enable', 'simd,bulk-memory'],
    {
      readFile: (file: string) => (file === 'a.ts' ? source : null),
      writeFile: (_: string, contents: string | Uint8Array) => {
        if (typeof contents !== 'string') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(stderr.toString(), { cause: error });
  return binary;
}

describe('expectLinkable', () => {
  it('takes functions alone, as the ones that ship', async () => {
    expectLinkable(await compiled(''));
    expectLinkable(Uint8Array.from(atob(ARITHMETIC), (char) => char.charCodeAt(0)));
  });

  it('says what else a module has', async () => {
    const cases: [string, RegExp][] = [
      ['let last: u64 = 0; function work(a: usize): u64 { last += a; return last; }', /sections globals/],
      ['function work(a: usize): u64 { return load<u8>(a + memory.data<u8>([1, 2, 3])); }', /sections .*data/],
      ['export function Fr_pow(a: usize): void {}', /exports Fr_pow/],
      [
        '@external("circuit", "Fr_pow") declare function pow(a: usize): u64; function work(a: usize): u64 { return pow(a); }',
        /imports Fr_pow/,
      ],
      ['function work(a: usize): u64 { v128.store(a, v128.load(a + 16)); return 1; }', /instructions .* in functions/],
      ['function work(a: usize): u64 { memory.copy(a, a + 64, 64); return 1; }', /instructions .* in functions/],
    ];
    for (const [source, message] of cases) {
      const wasm = await compiled(source);
      expect(() => expectLinkable(wasm), source).toThrow(message);
    }
    const few = await compiled('', ['copyNumbers', COPY_WITNESS]);
    expect(() => expectLinkable(few)).toThrow(/no exports Fr_F1m_mul/);
  });
});
