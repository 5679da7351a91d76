import { describe, expect, it } from 'vitest';
import { describeKey, describeSource } from '../../../sdk/hosts/prover/caller-source.js';
import { failureOf } from '../../support/section-bytes.js';

/** As in a page: everything is a URL. */
const describeLocation = (location: string | URL) => ({ kind: 'url', url: new URL(location).href }) as const;
const sourceOf = (source: unknown, take = false) =>
  describeSource(source as never, 'a witness', describeLocation, take);

describe('describeSource', () => {
  it('copies bytes, or moves them if they may be taken', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(sourceOf(bytes)).toEqual({ kind: 'bytes', bytes });
    expect(bytes).toHaveLength(3);
    expect(sourceOf(bytes.subarray(1), true)).toEqual({ kind: 'bytes', bytes: new Uint8Array([2, 3]) });
    expect(bytes).toHaveLength(3);
    expect(sourceOf(bytes, true)).toEqual({ kind: 'bytes', bytes: new Uint8Array([1, 2, 3]) });
    expect(bytes).toHaveLength(0);
  });

  it('copies what cannot be moved: the memory of a WASM instance', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const source = sourceOf(new Uint8Array(memory.buffer), true);
    expect(source).toMatchObject({ kind: 'bytes', bytes: expect.objectContaining({ length: 65_536 }) });
    expect(memory.buffer.byteLength).toBe(65_536);
  });

  it.each([
    ['bytes that were moved away', () => moved(), 'Uint8Array'],
    ['a Proxy of a Blob', () => new Proxy(new Blob(['x']), {}), 'Blob'],
    ['a Proxy of a buffer', () => new Proxy(new ArrayBuffer(8), {}), 'ArrayBuffer'],
    ['what only claims to be a Blob', () => Object.create(Blob.prototype) as object, 'Blob'],
    ['a number', () => 5, 'number'],
    ['null', () => null, 'null'],
  ])('refuses %s', async (_, make, got) => {
    const { code, message } = await failureOf(() => sourceOf(make()));
    expect(code).toBe('INVALID_ARGUMENT');
    expect(message).toBe(`expected a witness as a Uint8Array, ArrayBuffer, Blob, URL or string, got ${got}`);
  });

  it('refuses a URL that is none', async () => {
    const { code, message } = await failureOf(() => sourceOf('http://['));
    expect({ code, message }).toEqual({
      code: 'INVALID_ARGUMENT',
      message: 'expected a witness at a valid URL, got one that cannot be used',
    });
  });
});

describe('describeKey', () => {
  it('refuses holes in a list of chunks, and a list without end', async () => {
    const keyOf = (zkey: unknown) => describeKey(zkey as never, describeLocation, false);
    for (const zkey of [new Array(2), new Array(2 ** 32 - 1)]) {
      expect((await failureOf(() => keyOf(zkey))).code).toBe('INVALID_ARGUMENT');
    }
    expect(keyOf([new Uint8Array(1)])).toMatchObject({ kind: 'chunks', chunks: [{ kind: 'bytes' }] });
  });
});

function moved(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}
