import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import libsodium from 'libsodium-wrappers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type KeyPair, makeKeyPair, readKeyPair, writeKeyPair } from '../../farm/src/index.js';
import { openInput, sealInput } from '../../farm/src/sealing/sealed-input.js';
import { draw, expectRandom } from '../support/expect-random.js';

const job = { circuit: 'a', job: 'a.one' };
let keys: KeyPair;
let folder: string;

beforeAll(async () => {
  keys = await makeKeyPair();
  folder = await mkdtemp(join(tmpdir(), 'pippin-keys-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('a sealed input', () => {
  it.each([0, 1, 31, 32, 33, 100_000])('gives back a witness of %i bytes', async (length) => {
    const witness = Uint8Array.from({ length }, (_, i) => i);
    const sealed = await sealInput({ witness }, job, keys.publicKey);
    expect(await openInput(sealed, job, [keys])).toEqual({ witness });
  });

  it('gives back inputs, bigints as their digits', async () => {
    const inputs = { a: 2n ** 300n, b: [1, ['0x2', true]], c: { d: '-3' } };
    const sealed = await sealInput({ inputs }, job, keys.publicKey);
    expect(await openInput(sealed, job, [keys])).toEqual({ inputs: { ...inputs, a: String(2n ** 300n) } });
  });

  it('has the length of its header in 4 bytes, the header, and the input', async () => {
    await libsodium.ready;
    const sealed = await sealInput({ witness: Uint8Array.of(9, 8) }, job, keys.publicKey);
    const message = Buffer.from(libsodium.crypto_box_seal_open(sealed, keys.publicKey, keys.secretKey));
    const header = JSON.stringify({ ...job, kind: 'witness' });
    expect(message.readUInt32LE(0)).toBe(header.length);
    expect(message.subarray(4)).toEqual(Buffer.concat([Buffer.from(header), Buffer.from([9, 8])]));
  });

  it('leaves no input in memory but that of the caller', async () => {
    await libsodium.ready;
    const seal = vi.spyOn(libsodium, 'crypto_box_seal');
    const open = vi.spyOn(libsodium, 'crypto_box_seal_open');
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    try {
      const witness = Uint8Array.of(1, 2, 3);
      await openInput(await sealInput({ witness }, job, keys.publicKey), job, [keys]);
      await openInput(await sealInput({ inputs: { a: 5 } }, job, keys.publicKey), job, [keys]);
      const messages = [...seal.mock.calls.map(([message]) => message), ...open.mock.results.map(({ value }) => value)];
      // The text of the inputs is encoded after the header.
      for (const bytes of [...messages, encode.mock.results.at(-1)!.value] as Uint8Array[]) {
        expect(bytes).toEqual(new Uint8Array(bytes.length));
      }
      expect(messages).toHaveLength(4);
      expect(witness).toEqual(Uint8Array.of(1, 2, 3));
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is refused when it is too short for a header, or was made for another job', async () => {
    await libsodium.ready;
    for (const length of [0, 3, 4]) {
      const sealed = libsodium.crypto_box_seal(new Uint8Array(length), keys.publicKey);
      await expect(openInput(sealed, job, [keys])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    const sealed = await sealInput({ inputs: { a: 1 } }, job, keys.publicKey);
    const opening = openInput(sealed, { ...job, job: 'a.two' }, [keys]);
    await expect(opening).rejects.toThrow('one that was made for another job');
  });

  it('opens with any of several pairs', async () => {
    const sealed = await sealInput({ inputs: { a: 1 } }, job, keys.publicKey);
    expect(await openInput(sealed, job, [await makeKeyPair(), keys])).toEqual({ inputs: { a: 1 } });
  });

  it('is refused with another key, for another job or circuit, cut short, or altered', async () => {
    const sealed = await sealInput({ inputs: { a: 1 } }, job, keys.publicKey);
    const refused = (bytes: Uint8Array, given = job, pairs = [keys]) =>
      expect(openInput(bytes, given, pairs)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await refused(sealed, job, [await makeKeyPair()]);
    await refused(sealed, { circuit: 'a', job: 'a.two' });
    await refused(sealed, { circuit: 'b', job: 'a.one' });
    await refused(new Uint8Array());
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        await refused(sealed.subarray(0, at));
        await refused(sealed.map((byte, i) => (i === at ? byte ^ by : byte)));
      }),
      { numRuns: 30 },
    );
  });
});

describe('what is drawn', () => {
  it('is another pair of keys each time', async () => {
    const publicKeys: Uint8Array[] = [];
    const secretKeys = await draw(async () => {
      const pair = await makeKeyPair();
      publicKeys.push(pair.publicKey);
      return pair.secretKey;
    });
    expectRandom(secretKeys);
    // The highest bit of a coordinate modulo 2^255 - 19 is 0.
    expectRandom(publicKeys, 1n << 255n);
  });

  it('hides that two inputs are the same', async () => {
    const sealed = await draw(() => sealInput({ witness: new Uint8Array(8) }, job, keys.publicKey));
    // A public key of its own, the authentication, and the text.
    expectRandom(
      sealed.map((bytes) => bytes.subarray(0, 32)),
      1n << 255n,
    );
    expectRandom(sealed.map((bytes) => bytes.subarray(32)));
  });
});

describe('a file of keys', () => {
  it('is read as it was written, by its owner alone', async () => {
    const path = join(folder, 'keys.json');
    await writeKeyPair(path, keys);
    expect(await readKeyPair(path)).toEqual(keys);
    await expect(writeKeyPair(path, keys)).rejects.toMatchObject({ code: 'IO_FAILED' });
    await chmod(path, 0o644);
    await expect(readKeyPair(path)).rejects.toMatchObject({
      code: 'IO_FAILED',
      hint: expect.stringContaining('chmod'),
    });
  });

  it('is refused when it is none, and its contents are not told', async () => {
    const path = join(folder, 'other.json');
    const other = await makeKeyPair();
    const good = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));
    const publicKey = Buffer.from(other.publicKey).toString('base64');
    const wrong = [
      '',
      '{}',
      'SECRET',
      JSON.stringify({ ...good, publicKey }),
      JSON.stringify({ ...good, secretKey: 'AA' }),
      // Bytes that are right, in another form.
      JSON.stringify({ ...good, secretKey: [...Buffer.from(good.secretKey, 'base64')] }),
      'null',
    ];
    for (const text of wrong) {
      await rm(path, { force: true });
      await writeFile(path, text, { mode: 0o600 });
      const error = await readKeyPair(path).catch((thrown) => thrown);
      expect(error.code).toBe('MALFORMED_FILE');
      expect(String(error.stack)).not.toContain('SECRET');
    }
    await expect(readKeyPair(join(folder, 'none'))).rejects.toMatchObject({ code: 'IO_FAILED' });
  });
});
