import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { readInfo } from '../../sdk/hosts/node/node-files.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let prover: Prover;
let circuit: TestCircuit;
let key: Groth16Key;
let server: Server;
/** Where the files of the circuit are, and an answer without end, which a caller without a bound would wait for. */
let url: (name: 'zkey' | 'wasm' | 'endless') => string;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
  server = createServer((request, response) => {
    if (request.url === '/zkey') response.end(circuit.zkey);
    if (request.url === '/wasm') response.end(circuit.wasm);
    if (request.url === '/endless') {
      response.writeHead(200);
      const send = (): void => void (response.destroyed || response.write(new Uint8Array(2 ** 16), send));
      send();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = (name) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
}, MAKING_TIMEOUT);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await prover.dispose();
});

const maxBytes = 2 ** 20;
const tooLarge = { code: 'DOWNLOAD_TOO_LARGE', hint: expect.stringContaining('maxBytes') };

describe('maxBytes', () => {
  it.each([
    ['loadKey', () => prover.groth16.loadKey(url('endless'), { maxBytes })],
    ['loadKey with a pin', () => prover.groth16.loadKey(url('endless'), { maxBytes, sha256: '0'.repeat(64) })],
    ['loadKey with chunks', () => prover.groth16.loadKey([url('endless'), url('zkey')], { maxBytes })],
    ['loadCircuit', () => prover.groth16.loadCircuit(url('endless'), { maxBytes })],
    ['fullProve', () => prover.groth16.fullProve(key, circuit.inputs, url('endless'), { maxBytes })],
    ['prove', () => prover.groth16.prove(key, url('endless'), { maxBytes })],
    ['loadBases', () => prover.loadBases({ curve: 'bn254', points: url('endless') }, { maxBytes })],
    ['readInfo', () => readInfo(url('endless'), { maxBytes })],
  ])('bounds what %s downloads', async (_, call) => {
    await expect(call()).rejects.toMatchObject(tooLarge);
  });

  it('lets files of this size pass, and does not bound what is no download', async () => {
    const exactly = { maxBytes: circuit.zkey.length };
    await (await prover.groth16.loadKey(url('zkey'), exactly)).dispose();
    await (await prover.groth16.loadKey(circuit.zkey, { maxBytes: 1 })).dispose();
    await prover.groth16.fullProve(key, circuit.inputs, url('wasm'), { maxBytes: circuit.wasm.length });
    await expect(prover.groth16.loadKey(url('zkey'), { maxBytes: circuit.zkey.length - 1 })).rejects.toMatchObject(
      tooLarge,
    );
  });

  it.each([0, -1, 1.5, '5' as never, Number.POSITIVE_INFINITY])('is refused as %s', async (given) => {
    const wrong = { code: 'INVALID_ARGUMENT' };
    await expect(prover.groth16.loadKey(circuit.zkey, { maxBytes: given })).rejects.toMatchObject(wrong);
    await expect(prover.groth16.loadCircuit(circuit.wasm, { maxBytes: given })).rejects.toMatchObject(wrong);
    await expect(
      prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, { maxBytes: given }),
    ).rejects.toMatchObject(wrong);
  });
});
