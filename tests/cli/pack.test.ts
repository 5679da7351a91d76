import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAKING_TIMEOUT, testCircuit } from '../support/circuits.js';
import { pippin } from '../support/cli.js';

describe('pippin pack and unpack', () => {
  let folder: string;
  let zkey: Uint8Array;
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-pack-'));
    zkey = (await testCircuit('chain')).zkey;
    await writeFile(at('chain.zkey'), zkey);
  }, MAKING_TIMEOUT);
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['compressed', 'plain'])('give the same .zkey again, with points %s', async (points) => {
    const packed = await pippin('pack', at('chain.zkey'), '--points', points, '--out', at('a.pzkey'), '--json');
    expect(packed).toMatchObject({ code: 0 });
    expect(JSON.parse(packed.stdout)).toMatchObject({ file: at('a.pzkey'), zkeyBytes: zkey.length });
    expect(await pippin('info', at('a.pzkey'))).toMatchObject({ code: 0 });
    expect(await pippin('unpack', at('a.pzkey'), '--out', at('b.zkey'))).toMatchObject({ code: 0 });
    expect(Buffer.from(zkey).equals(await readFile(at('b.zkey')))).toBe(true);
  });

  it('end with an error for another file, and for a damaged one, and write nothing', async () => {
    expect((await pippin('unpack', at('chain.zkey'), '--out', at('c.zkey'))).code).toBe(2);
    await pippin('pack', at('chain.zkey'));
    const damaged = await readFile(at('chain.pzkey'));
    damaged[damaged.length - 1]! ^= 1;
    await writeFile(at('damaged.pzkey'), damaged);
    expect((await pippin('unpack', at('damaged.pzkey'), '--out', at('c.zkey'))).code).toBe(2);
    await expect(readFile(at('c.zkey'))).rejects.toThrow('ENOENT');
  });
});
