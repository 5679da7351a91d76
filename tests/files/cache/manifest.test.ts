import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES, chunkCount, decodeManifest, encodeManifest } from '../../../sdk/files/cache/manifest.js';

const array = { name: 'a', length: 5, chunks: ['x'] };
const manifest = { key: 'k', facts: { count: 1 }, arrays: [array] };

/** Bytes with a hash that fits. */
function hashed(text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([createHash('sha256').update(bytes).digest(), bytes]);
}

describe('a manifest', () => {
  it('is read as it was written', async () => {
    const bytes = await encodeManifest(manifest);
    expect(bytes).toEqual(new Uint8Array(hashed(JSON.stringify(manifest))));
    expect(await decodeManifest(bytes, 'k')).toEqual(manifest);
    expect(await decodeManifest(bytes, 'j')).toBe('the manifest is of k');
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = bytes.with(at, bytes[at]! ^ 1);
      expect(await decodeManifest(changed, 'k')).toBe('the manifest has another hash');
    }
  });

  it('may have a name, and is the same bytes as before without one', async () => {
    const named = { key: 'k', name: 'spend.zkey', facts: 1, arrays: [] };
    expect(await decodeManifest(await encodeManifest(named), 'k')).toEqual(named);
    const nameless = await encodeManifest({ ...manifest, name: undefined });
    expect(nameless).toEqual(await encodeManifest(manifest));
    // No other part of it depends on the name.
    expect(await decodeManifest(hashed(JSON.stringify({ ...manifest, name: 7 })), 'k')).toMatchObject(manifest);
  });

  it('that is no JSON in UTF-8 is told as that', async () => {
    const text = Buffer.from(JSON.stringify({ ...manifest, facts: 'x' }));
    text[text.indexOf('x')] = 0xff;
    for (const bytes of [hashed(''), hashed('{'), hashed(text)]) {
      expect(await decodeManifest(bytes, 'k')).toBe('the manifest is no JSON');
    }
  });

  it.each([
    null,
    7,
    [],
    { ...manifest, key: 7 },
    { ...manifest, facts: undefined },
    { ...manifest, arrays: { length: 0 } },
    ...[
      null,
      7,
      { ...array, name: 7 },
      { ...array, length: '5' },
      { ...array, length: -1 },
      { ...array, length: -1, chunks: [] },
      { ...array, length: 0.5 },
      { ...array, length: 2 ** 60, chunks: [] },
      { ...array, chunks: [] },
      { ...array, chunks: ['x', 'y'] },
      { ...array, chunks: 'x' },
      { ...array, chunks: { length: 1, 0: 'x' } },
      { ...array, chunks: [7] },
      { ...array, chunks: [null] },
    ].map((odd) => ({ ...manifest, arrays: [array, odd] })),
  ])('that lacks something is refused: %j', async (odd) => {
    expect(await decodeManifest(hashed(JSON.stringify(odd)), 'k')).toBe('the manifest lacks a field');
  });

  it('has chunks of 4 MiB', async () => {
    expect(CHUNK_BYTES).toBe(4 * 2 ** 20);
    expect([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1].map(chunkCount)).toEqual([0, 1, 1, 2]);
    const empty = { ...manifest, arrays: [{ name: 'none', length: 0, chunks: [] }] };
    expect(await decodeManifest(await encodeManifest(empty), 'k')).toEqual(empty);
  });
});
