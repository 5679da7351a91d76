import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContributeOptions } from '../../sdk/ceremony/api.js';
import { sectionsOf } from '../support/section-bytes.js';
import { ceremonyInPlace } from './ceremony-in-place.js';
import { firstKey } from './first-key.js';

const { contribute, beacon, verifyContributions, describeKey } = ceremonyInPlace();
const folder = mkdtempSync(join(tmpdir(), 'pippin-ceremony-'));
let first: Uint8Array;
beforeAll(async () => {
  first = (await firstKey('bn254')).zkey;
});
afterAll(() => rmSync(folder, { recursive: true }));

const given = { hash: '0x0102', iterations: 10 };
const expected = async (): Promise<Uint8Array> =>
  new Uint8Array(await (await beacon(first, given)).zkey!.arrayBuffer());

describe('a new key', () => {
  it('goes to a path, a file URL or a stream, the same bytes as to a Blob', async () => {
    const [path, url] = [join(folder, 'a.zkey'), pathToFileURL(join(folder, 'b.zkey'))];
    const parts: Uint8Array[] = [];
    const stream = new WritableStream<Uint8Array>({ write: (part) => void parts.push(part) });
    expect(await beacon(new Blob([first as Uint8Array<ArrayBuffer>]), { ...given, to: path })).not.toHaveProperty(
      'zkey',
    );
    await beacon(first, { ...given, to: url });
    await beacon(first, { ...given, to: stream });
    const bytes = await expected();
    for (const found of [readFileSync(path), readFileSync(url), Buffer.concat(parts)]) {
      expect(found.equals(bytes)).toBe(true);
    }
  });

  it('replaces the key that it is made from only when it is complete', async () => {
    const path = join(folder, 'c.zkey');
    await beacon(first, { ...given, to: path });
    await contribute(path, { to: path });
    expect((await verifyContributions(path, { first })).contributions).toHaveLength(2);
    const before = readFileSync(path);
    const signal = AbortSignal.timeout(20);
    await expect(beacon(path, { hash: 'ff', iterations: 40, signal, to: path })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is given up where it cannot be written', async () => {
    await expect(beacon(first, { ...given, to: join(folder, 'none', 'a.zkey') })).rejects.toMatchObject({
      code: 'IO_FAILED',
    });
    const broken = new WritableStream({
      write: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(beacon(first, { ...given, to: broken })).rejects.toMatchObject({ code: 'IO_FAILED' });
  });

  it('differs between contributions, and keeps long names as snarkjs does', async () => {
    const name = 'ä'.repeat(70);
    const [one, other] = [await contribute(first, { name }), await contribute(first, { name })];
    expect(one.hash).not.toBe(other.hash);
    const { contributions } = await verifyContributions(one.zkey!, { first });
    expect(contributions).toEqual([{ name: 'ä'.repeat(64), hash: one.hash }]);
    const history = sectionsOf(new Uint8Array(await one.zkey!.arrayBuffer())).find(([id]) => id === 10)![1];
    expect(history.at(-129)).toBe(128);
  });

  it('tells its progress to the end', async () => {
    const told: number[] = [];
    await contribute(first, { onProgress: (fraction) => void told.push(fraction) });
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });
});

describe('the description of a key', () => {
  it('has its sizes, and the history that its verification gives', async () => {
    const { zkey } = await contribute(first, { name: 'Ada' });
    const last = await beacon(zkey!, given);
    const { isValid: _, ...history } = await verifyContributions(last.zkey!, { first });
    const header = await describeKey(first);
    expect(await describeKey(last.zkey!)).toEqual({ ...header, ...history });
    const { variables, publicSignals, domainSize, points } = header;
    expect(header).toMatchObject({ curve: 'bn254', contributions: [], circuitHash: last.circuitHash });
    expect(points).toBe(variables - publicSignals - 1 + domainSize);
    expect(sectionsOf(first).find(([id]) => id === 9)![1]).toHaveLength(64 * domainSize);
  });

  it('is refused where the key is none, and where the history is damaged', async () => {
    await expect(describeKey(first.slice(0, -1))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expect(describeKey(first, { threads: 1 } as object)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(describeKey(first, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('calls', () => {
  it.each([
    [{ name: 5 }],
    [{ entropy: 5 }],
    [{ to: 5 }],
    [{ entropie: '' }],
    [{ threads: 0 }],
    [{ onProgress: 1 }],
    [{ signal: {} }],
  ])('refuse the options %j', async (options) => {
    const call = contribute(first, options as unknown as ContributeOptions);
    await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([
    [{ hash: '', iterations: 10 }],
    [{ hash: '0', iterations: 10 }],
    [{ hash: 'xy', iterations: 10 }],
    [{ hash: '00'.repeat(256), iterations: 10 }],
    [{ hash: '00', iterations: 9 }],
    [{ hash: '00', iterations: 64 }],
  ])('refuse the beacon %j', async (options) => {
    await expect(beacon(first, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('refuse what is no key, and stop at once when they were aborted', async () => {
    await expect(contribute(new Uint8Array(5))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expect(contribute(undefined as unknown as string)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(contribute(first, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    const signal = AbortSignal.abort();
    await expect(verifyContributions(first, { first, signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('stop while their workers start', async () => {
    const waiting = ceremonyInPlace({ compileWasm: () => new Promise(() => undefined) });
    const parts: Uint8Array[] = [];
    const to = new WritableStream<Uint8Array>({ write: (part) => void parts.push(part) });
    const call = waiting.contribute(first, { signal: AbortSignal.timeout(50), to });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(parts).toEqual([]);
  });
});
