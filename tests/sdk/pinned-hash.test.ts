import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BinarySource, Prover } from '../../sdk/api/index.js';
import { browserEnginePlatform } from '../../sdk/hosts/page/browser-engine.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const PLATFORMS = { Node: {}, 'a browser': { makeSha256: browserEnginePlatform.makeSha256 } };

describe.each(Object.entries(PLATFORMS))('a proving key whose SHA-256 is pinned, in %s', (_, platform) => {
  let prover: Prover;
  let circuit: TestCircuit;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-pinned-'));
    prover = await inPlaceProver({ backend: 'wasm', threads: 1, cache: { directory: folder } }, platform);
    circuit = await testCircuit('smallest');
  }, MAKING_TIMEOUT);
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  afterAll(async () => {
    await prover.dispose();
    await rm(folder, { recursive: true });
    await endSnarkjs();
  });

  const load = (source: BinarySource, hash: unknown) =>
    prover.groth16.loadKey(source, { sha256: hash as string, onProgress: () => undefined });
  const records = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => name.includes('groth16'));

  it('is refused with both hashes in the message, and nothing of it is cached', async () => {
    const wrong = hashOf(new Uint8Array());
    const loading = load(circuit.zkey, wrong);
    await expect(loading).rejects.toMatchObject({ code: 'KEY_MISMATCH', hint: expect.any(String) });
    await expect(loading).rejects.toThrow(
      `expected a key with the SHA-256 ${wrong}, got one with ${hashOf(circuit.zkey)}`,
    );
    // A file that is no key at all is not looked at.
    await expect(load(new Uint8Array(3), wrong)).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    await expect(load(new Uint8Array(), hashOf(new Uint8Array()))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await prover.clearCache();
    expect(await records()).toEqual([]);
  });

  it('is loaded from every kind of source, from the cache as well, in either case of the digits', async () => {
    const path = join(folder, 'smallest.zkey');
    await writeFile(path, circuit.zkey);
    const sources = [circuit.zkey, circuit.zkey.slice().buffer, new Blob([new Uint8Array(circuit.zkey)]), path];
    const hash = hashOf(circuit.zkey);
    for (const [i, source] of sources.entries()) {
      const key = await load(source, i % 2 === 0 ? hash : hash.toUpperCase());
      const { proof, publicSignals } = await prover.groth16.prove(key, await snarkjsWitness(circuit));
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      await key.dispose();
      // A key in the cache is not taken for another one.
      await expect(load(source, hashOf(new Uint8Array(1)))).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    }
    // What a load has prepared is written in the background, which a slow disk may hold up.
    await expect
      .poll(async () => {
        const { report, dispose } = await load(path, hash);
        await dispose();
        return [report.cached, report.timeline.filter(({ phase }) => phase === 'hash').length];
      })
      .toEqual([true, 1]);
  });

  it('is hashed where the page has no WebCrypto for the cache', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    await expect(load(circuit.zkey, hashOf(new Uint8Array()))).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    await (await load(circuit.zkey, hashOf(circuit.zkey))).dispose();
  });

  it('must be pinned by 64 hexadecimal digits', async () => {
    const hash = hashOf(circuit.zkey);
    for (const wrong of [
      '',
      hash.slice(1),
      `${hash}0`,
      `0x${hash.slice(2)}`,
      `g${hash.slice(1)}`,
      1,
      new Uint8Array(32),
    ]) {
      await expect(load(circuit.zkey, wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });
});

describe('the SHA-256 of a browser', () => {
  it('is that of Node, whatever the parts', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(1000));
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1000]) {
      const hash = await browserEnginePlatform.makeSha256();
      for (let from = 0; from < length; from += 37) hash.update(bytes.subarray(from, Math.min(length, from + 37)));
      const expected = hashOf(bytes.subarray(0, length));
      expect(Buffer.from(hash.digest()).toString('hex')).toBe(expected);
      expect(Buffer.from(sha256(bytes.subarray(0, length))).toString('hex')).toBe(expected);
    }
  });
});
