import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wtns } from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variablesOf } from '../../farm/src/circuits/witness-values.js';
import { circuitFile, MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { wtnsOf } from '../support/wtns.js';

const KEYS = ['chain.zkey', 'chain.plonk.zkey', 'chain.fflonk.zkey'] as const;

let folder: string;
let server: Server;
let url: string;
let requests: number;
let knowsRanges: boolean;
/** Values of a witness, as snarkjs counts them. */
let values: number;
const keys = new Map<string, Uint8Array>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-keys-'));
  values = (await wtns.exportJson(await snarkjsWitness(await testCircuit('chain')))).length;
  for (const name of KEYS) keys.set(`/${name}`, readFileSync(await circuitFile(name)));
  server = createServer((request, response) => {
    requests++;
    const bytes = keys.get(request.url!)!;
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    if (knowsRanges && first !== undefined)
      response.writeHead(206).end(bytes.subarray(Number(first), Number(last) + 1));
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, MAKING_TIMEOUT);
afterAll(async () => {
  await endSnarkjs();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const located = (source: string) => ({ source, sha256: '00'.repeat(32), bytes: undefined });
const inFile = (bytes: Uint8Array): Promise<number | undefined> => {
  const path = join(folder, 'key.zkey');
  writeFileSync(path, bytes);
  return variablesOf(located(path), 'key');
};

describe('the values of a witness', () => {
  it.each(KEYS)('are told of %s at a path, and at a URL whose server knows ranges', async (name) => {
    expect(await variablesOf(located(await circuitFile(name)), 'key')).toBe(values);
    [requests, knowsRanges] = [0, true];
    expect(await variablesOf(located(`${url}/${name}`), 'key')).toBe(values);
    // Of a section its beginning alone is asked for.
    expect(requests).toBeLessThanOrEqual(20);
  });

  it('are told of a server without ranges where the header comes first', async () => {
    knowsRanges = false;
    const [groth16, plonk] = [await variablesOf(located(`${url}/chain.zkey`), 'key'), keys.get('/chain.plonk.zkey')!];
    expect(groth16).toBe(values);
    const isShort = plonk.length <= 4096;
    expect(await variablesOf(located(`${url}/chain.plonk.zkey`), 'key')).toBe(isShort ? values : undefined);
  });

  it.each(KEYS)('are not told of %s cut off anywhere or with other bytes, and nothing is thrown', async (name) => {
    const key = keys.get(`/${name}`)!;
    for (const length of [0, 3, 11, 12, 20, 40, 100, key.length - 1]) {
      const told = await inFile(key.slice(0, length));
      expect([undefined, values]).toContain(told);
    }
    const changed = (at: number, ...bytes: number[]): Uint8Array => {
      const copy = key.slice();
      copy.set(bytes, at);
      return copy;
    };
    expect(await inFile(changed(0, 0x77))).toBeUndefined();
    expect(await inFile(wtnsOf(5))).toBeUndefined();
    // The first section would end far behind the file.
    expect(await inFile(changed(16, ...Array<number>(8).fill(255)))).toBeUndefined();
  });
});
