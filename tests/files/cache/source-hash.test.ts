import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FORMAT_VERSION, recordKey, recordPrefix } from '../../../sdk/files/cache/record-key.js';
import { hashSource } from '../../../sdk/files/cache/source-hash.js';

const SLICE = 4 * 2 ** 20;

async function* parts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}

/** The documented hash, from the definition. */
function expected(bytes: Uint8Array): string {
  const outer = createHash('sha256');
  for (let from = 0; from < bytes.length; from += SLICE) {
    outer.update(
      createHash('sha256')
        .update(bytes.subarray(from, from + SLICE))
        .digest(),
    );
  }
  return outer.digest('hex');
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('hashSource', () => {
  it.each([0, 1, 31, 1000, SLICE - 1, SLICE, SLICE + 1, 2 * SLICE, 2 * SLICE + 77])(
    'hashes %i bytes, in whatever parts they come',
    async (length) => {
      const bytes = new Uint8Array(length);
      for (let i = 0; i < length; i += 1021) bytes[i] = i * 31;
      for (const size of [SLICE, 65_536, 3_000_017, 3 * SLICE]) {
        expect(await hashSource(parts(bytes, size)), `parts of ${size}`).toBe(expected(bytes));
      }
    },
  );

  it('takes single bytes and empty parts', async () => {
    const bytes = new Uint8Array([1, 2, 3, 4, 5]);
    async function* split(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(0);
      for await (const part of parts(bytes, 1)) yield part;
      yield new Uint8Array(0);
    }
    expect(await hashSource(split())).toBe(expected(bytes));
  });

  it('is undefined where there is no WebCrypto', async () => {
    vi.stubGlobal('crypto', {});
    expect(await hashSource(parts(new Uint8Array(3), 1))).toBeUndefined();
  });

  it('rejects when aborted, and when the source cannot be read', async () => {
    const signal = AbortSignal.abort();
    await expect(hashSource(parts(new Uint8Array(3), 1), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    // biome-ignore lint/correctness/useYield: a source that fails at once
    async function* broken(): AsyncGenerator<Uint8Array> {
      throw new Error('no such file');
    }
    await expect(hashSource(broken())).rejects.toThrow('no such file');
  });
});

describe('recordKey', () => {
  it('names source, format and plan', () => {
    expect(recordKey(recordPrefix('bases/bn254/g1', 832), 'ab12')).toBe(`v${FORMAT_VERSION}/bases/bn254/g1/832/ab12`);
  });
});
