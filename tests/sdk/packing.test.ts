import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Encodings from '../../sdk/encodings-node.js';
import { chainOver, MAKING_TIMEOUT, plonkCircuit, testCircuit } from '../support/circuits.js';
import { built } from '../support/in-process-engine.js';
import { packed } from '../support/packed-keys.js';
import { root } from '../support/root.js';
import { zkeyChunks } from '../support/section-bytes.js';

const { packKey, unpackKey } = (await import(built('encodings-node.js'))) as typeof Encodings;

/** One worker is enough: what several do is tested with keys that are loaded. */
const threads = 1;
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

let zkey: Uint8Array<ArrayBuffer>;
let folder: string;
beforeAll(async () => {
  zkey = new Uint8Array((await testCircuit('flags')).zkey);
  folder = await mkdtemp(join(tmpdir(), 'pippin-packing-'));
}, MAKING_TIMEOUT);
afterAll(() => rm(folder, { recursive: true }));

describe('packKey and unpackKey', () => {
  it.each(['compressed', 'plain'] as const)('give the same .zkey again, with points %s', async (points) => {
    for (const { zkey: given } of [
      await testCircuit('flags'),
      await chainOver('bls12-381'),
      await plonkCircuit('chain'),
    ]) {
      const { pzkey, sha256, zkeyBytes } = await packKey(given, { points, threads });
      const expected = await packed(given, points === 'compressed');
      expect(await bytesOf(pzkey)).toEqual(expected);
      expect([sha256, zkeyBytes]).toEqual([sha256Of(expected), given.length]);
      const back = await unpackKey(pzkey, { threads });
      expect(await bytesOf(back.zkey)).toEqual(new Uint8Array(given));
      expect(back.sha256).toBe(sha256Of(given));
    }
  });

  it('compress points unless they are told not to', async () => {
    const { pzkey } = await packKey(zkey, { threads });
    expect(await bytesOf(pzkey)).toEqual(await packed(zkey));
  });

  it("make the example's packed key of its .zkey", async () => {
    const file = (name: string): string => join(root, 'examples/groth16-commitment/key', name);
    const { pzkey } = await packKey(file('note.zkey'));
    expect(await bytesOf(pzkey)).toEqual(new Uint8Array(await readFile(file('note.pzkey'))));
  });

  it('take bytes, a Blob, a path, a file URL and chunks, and leave bytes as they were', async () => {
    const path = join(folder, 'flags.zkey');
    await writeFile(path, zkey);
    const before = sha256Of(zkey);
    const expected = sha256Of(await packed(zkey));
    for (const source of [zkey, zkey.buffer, new Blob([zkey]), path, pathToFileURL(path), zkeyChunks(zkey)]) {
      expect((await packKey(source, { threads })).sha256).toBe(expected);
    }
    expect(sha256Of(zkey)).toBe(before);
  });

  it('tell their progress, which ends with 1 and never goes back', async () => {
    for (const call of [
      (onProgress: (fraction: number) => void) => packKey(zkey, { threads, onProgress }),
      async (onProgress: (fraction: number) => void) => unpackKey(await packed(zkey), { threads, onProgress }),
    ]) {
      const told: number[] = [];
      await call((fraction) => void told.push(fraction));
      expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
      expect([told[0]! >= 0, told.at(-1)]).toEqual([true, 1]);
    }
  });

  it('end with ABORTED when the signal fires, before and during the work', async () => {
    const pzkey = await packed(zkey);
    await expect(packKey(zkey, { signal: AbortSignal.abort(), threads })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(unpackKey(pzkey, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    for (const call of [packKey, unpackKey]) {
      const abort = new AbortController();
      const onProgress = (): void => abort.abort();
      const given = call === packKey ? zkey : pzkey;
      await expect(call(given, { signal: abort.signal, threads, onProgress })).rejects.toMatchObject({
        code: 'ABORTED',
      });
    }
  });

  it('refuse what they cannot read, with the code of what is wrong', async () => {
    const pzkey = await packed(zkey);
    const damaged = pzkey.slice();
    damaged[damaged.length - 1]! ^= 1;
    const wrong = { points: 'half' } as object;
    for (const [call, code] of [
      [() => packKey(pzkey), 'MALFORMED_FILE'],
      [() => unpackKey(zkey), 'MALFORMED_FILE'],
      [() => unpackKey(damaged, { threads }), 'MALFORMED_FILE'],
      [() => packKey(join(folder, 'none.zkey')), 'IO_FAILED'],
      [() => packKey(zkey, wrong), 'INVALID_ARGUMENT'],
      [() => unpackKey(pzkey, wrong), 'INVALID_ARGUMENT'],
      [() => packKey(zkey, { threads: 0 }), 'INVALID_ARGUMENT'],
    ] as const) {
      await expect(call()).rejects.toMatchObject({ code });
    }
  });
});
