import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Prover, ProverOptions } from '../../sdk/api/index.js';
import { bigintToBytes } from '../../sdk/base/bytes.js';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';
import { bls12381, bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FakeWorker } from '../support/fake-worker.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars, multipleOf } from '../support/points.js';
import { patched, withSection } from '../support/section-bytes.js';
import { op, tinyCircuit } from '../support/tiny-circuit.js';
import { WatchedHost } from '../support/watched-host.js';

const r = bn254.fr.modulus;

/** Values that nothing may show, in any notation, and a piece of a path. */
const SECRETS = [0x5ec2e7_918273645546372819_5ec2e7n, 0x5ec2e7_192837465564738291_5ec2e7n] as const;
const [SECRET, OTHER] = SECRETS;
const PLACE = 'safe-of-the-witness';
const MARKS = [
  ...SECRETS.flatMap((value) => [value, r - value, r + value]).flatMap((value) => [
    String(value),
    value.toString(16),
    Buffer.from(bigintToBytes(value, SCALAR_BYTES)).toString('hex'),
    Buffer.from(bigintToBytes(value, SCALAR_BYTES)).toString('base64').slice(0, 20),
    [...bigintToBytes(value, SCALAR_BYTES)].join(',').slice(0, 40),
  ]),
  PLACE,
];

let folder: string;
let circuit: TestCircuit;
let wtns: Uint8Array;
let points: Uint8Array;
let prover: Prover;
let other: Prover;
let key: Groth16Key;
let bases: Bases;
/** All that was told beside the errors. */
const told: unknown[] = [];
const options = { onProgress: (event: unknown) => told.push(event) };
const create = (replaced: Partial<EnginePlatform> = {}, more: ProverOptions = {}): Promise<Prover> =>
  inPlaceProver({ backend: 'wasm', threads: 1, onNotice: (notice) => told.push(notice), ...more }, replaced);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `pippin-${PLACE}-`));
  circuit = await testCircuit('chain');
  const inputs = { start: String(SECRET), factor: String(OTHER), offset: '31' };
  wtns = await snarkjsWitness({ ...circuit, inputs } as unknown as TestCircuit);
  points = encodePoints(bn254, [multipleOf(bn254, 3n), multipleOf(bn254, 5n)]);
  prover = await create();
  other = await create();
  key = await prover.groth16.loadKey(circuit.zkey);
  bases = await prover.loadBases({ curve: 'bn254', points });
}, MAKING_TIMEOUT);
afterAll(async () => {
  await Promise.all([prover.dispose(), other.dispose()]);
  rmSync(folder, { recursive: true, force: true });
  await endSnarkjs();
});

/** All that a value shows to who logs or sends it: its members, whether enumerable or not, with those of an error and of its causes. */
function textOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer as ArrayBuffer).toString('hex');
  return Object.getOwnPropertyNames(value)
    .map((name) => `${name}: ${textOf((value as Record<string, unknown>)[name], seen)}`)
    .join('\n');
}

function expectDiscreet(text: string): void {
  const lower = text.toLowerCase();
  expect(MARKS.filter((mark) => lower.includes(mark.toLowerCase()))).toEqual([]);
}

const wtnsWith = (index: number, value: bigint): Uint8Array =>
  withSection(wtns, 2, (values) => patched(values, index * SCALAR_BYTES, bigintToBytes(value, SCALAR_BYTES)));
const prove = (file: unknown, more: object = {}) =>
  prover.groth16.prove(key, file as Uint8Array, { ...options, ...more });
const fullProve = (inputs: unknown, wasm: unknown = circuit.wasm, more: object = {}) =>
  prover.groth16.fullProve(key, inputs as never, wasm as Uint8Array, { ...options, ...more });
const msm = (scalars: unknown, more: object = {}) => prover.msm(bases, scalars as Uint8Array, { ...options, ...more });
const secretScalars = () => encodeScalars([SECRET, OTHER]);
const good = { start: SECRET, factor: OTHER, offset: 31n };

/** Uses the address of a server that answers everything with these bytes. */
async function served<T>(bytes: Uint8Array, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A proof by a prover that is made for it. */
async function proveOn(made: Promise<Prover>, meanwhile: (on: Prover) => unknown = () => undefined): Promise<unknown> {
  const on = await made;
  try {
    const own = await on.groth16.loadKey(circuit.zkey);
    const proving = on.groth16.prove(own, wtns, options);
    await Promise.all([proving, meanwhile(on)]);
    return undefined;
  } finally {
    await on.dispose();
  }
}

/** Kernel workers in which something happens before a sum. */
const kernels = (onSum: (worker: FakeWorker) => void): Partial<EnginePlatform> => ({
  spawnKernel: () => {
    const worker: FakeWorker = new FakeWorker(
      (emit) => new WatchedHost(emit, (method) => (method === 'multiply' ? onSum(worker) : undefined)),
    );
    return worker;
  },
});

/** Calls with secrets that fail, by the code of their error. */
const PROVOKED: Partial<Record<PippinErrorCode, readonly (() => Promise<unknown>)[]>> = {
  ABORTED: [
    () => prove(wtns, { signal: AbortSignal.abort() }),
    () => {
      const controller = new AbortController();
      return prove(wtns, { signal: controller.signal, onProgress: () => controller.abort() });
    },
  ],
  INVALID_ARGUMENT: [
    () => msm(String(SECRET)),
    () => msm([SECRET]),
    () => msm({ [PLACE]: SECRET }),
    () => prove({ SECRET }),
    () => prove([SECRET]),
    () => fullProve(good, [SECRET]),
    () => prove(wtns, { verify: 7 }),
    () => fullProve(good, circuit.wasm, { witnessTimeout: -1 }),
  ],
  INVALID_LENGTH: [
    () => msm(encodeScalars([SECRET, OTHER, SECRET])),
    () => msm(secretScalars().subarray(1)),
    () => prove(withSection(wtns, 1, (header) => patched(header, header.length - 4, Uint8Array.of(3)))),
  ],
  MALFORMED_FILE: [
    () => prove(wtnsWith(0, SECRET)),
    () => prove(wtns.subarray(0, wtns.length - 32)),
    () => prove(new TextEncoder().encode(JSON.stringify({ start: String(SECRET) }))),
    () => prove(secretScalars()),
  ],
  UNSUPPORTED_FORMAT: [() => prove(patched(wtns, 4, Uint8Array.of(9))), () => fullProve(good, secretScalars())],
  CURVE_MISMATCH: [
    () => prove(withSection(wtns, 1, (header) => patched(header, 4, bigintToBytes(bls12381.fr.modulus, 32)))),
  ],
  INVALID_SCALAR: [
    () => msm(encodeScalars([SECRET, r + OTHER])),
    () => msm(secretScalars(), { bitSize: 20 }),
    () => prove(wtnsWith(7, r + SECRET)),
  ],
  INVALID_INPUT: [
    () => fullProve({ start: SECRET, factor: OTHER }),
    () => fullProve({ ...good, start: [SECRET, OTHER] }),
    () => fullProve({ ...good, more: SECRET }),
    () => fullProve({ ...good, start: `${SECRET}x` }),
    () => fullProve({ ...good, start: r + SECRET }, circuit.wasm, { strictInputs: true }),
    () => fullProve(SECRET),
    () => fullProve([SECRET]),
    () => fullProve({ start: () => SECRET }),
    () =>
      fullProve({
        get start() {
          throw new Error(String(SECRET));
        },
      }),
  ],
  WITNESS_REJECTED: [
    async () => {
      const flags = await testCircuit('flags');
      const own = await prover.groth16.loadKey(flags.zkey);
      const inputs = { values: [SECRET, OTHER, 0, 0, 0, 0], bound: 9 };
      return prover.groth16.fullProve(own, inputs, flags.wasm, options).finally(() => own.dispose());
    },
  ],
  WITNESS_FAILED: [() => fullProve(good, tinyCircuit({ bodies: { init: op.unreachable } }))],
  OUT_OF_MEMORY: [() => fullProve(good, circuit.wasm, { witnessMemory: 65_536 })],
  PROOF_INVALID: [() => prove(wtnsWith(5, SECRET))],
  IO_FAILED: [() => prove(join(folder, `${SECRET}.wtns`)), () => prove(folder)],
  DOWNLOAD_TOO_LARGE: [() => served(wtns, (url) => prove(`${url}${SECRET}.wtns`, { maxBytes: 100 }))],
  DISPOSED: [() => proveOn(create(), (on) => on.dispose())],
  INVALID_HANDLE: [
    () => other.groth16.prove(key, wtns, options),
    () => prover.msm(key as never, secretScalars(), options),
  ],
  WORKER_FAILED: [() => proveOn(create(kernels((worker) => worker.die())))],
  INTERNAL: [
    () =>
      proveOn(
        create(
          kernels(() => {
            throw new Error('a bug');
          }),
        ),
      ),
  ],
};

/** Codes of calls to which no secret is given: a key, points or the environment is at fault. */
const WITHOUT_SECRETS: readonly PippinErrorCode[] = [
  'INVALID_POINT',
  'KEY_MISMATCH',
  'KEY_UNFINISHED',
  'UNSUPPORTED_ENVIRONMENT',
  'WEBGPU_UNAVAILABLE',
];
/** Codes that only a GPU gives; tests/executors/gpu/proofs provokes them. */
const OF_GPUS: readonly PippinErrorCode[] = ['DEVICE_LOST', 'RESULT_INVALID'];
/** Codes of the bridges and of the entry for snarkjs' callers, whose messages are texts of ours and no more than a place or the name of a call. */
const OF_BRIDGES: readonly PippinErrorCode[] = ['EXTENSION_RELOADED', 'INTERRUPTED', 'PROVER_LOST', 'UNSUPPORTED_CALL'];
/** Those of a farm: tests/farm/worker.test.ts looks for inputs in what Redis and the log of a worker hold. */
const OF_FARMS: readonly PippinErrorCode[] = ['DEADLINE_PASSED', 'QUEUE_UNAVAILABLE'];

describe('what is told of calls with secrets shows none', () => {
  it('by every code of an error that there is', () => {
    const source = readFileSync(new URL('../../sdk/base/errors.ts', import.meta.url), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect([...Object.keys(PROVOKED), ...WITHOUT_SECRETS, ...OF_GPUS, ...OF_BRIDGES, ...OF_FARMS].sort()).toEqual(
      codes.sort(),
    );
  });

  const cases = Object.entries(PROVOKED).flatMap(([code, calls]) => calls.map((call, i) => ({ code, i, call })));
  it.each(cases)('in an error: $code, case $i', async ({ code, call }) => {
    const error = await call().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(PippinError);
    expect((error as PippinError).code).toBe(code);
    expectDiscreet(textOf(error));
  });

  it('in results, events, notices and the cache', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pippin-cache-'));
    const witness = join(folder, 'w.wtns');
    writeFileSync(witness, wtns);
    try {
      const cached = await create({}, { cache: { directory } });
      const own = await cached.groth16.loadKey(circuit.zkey, options);
      const made = await cached.groth16.prove(own, witness, options);
      const sums = await cached.msm(await cached.loadBases({ curve: 'bn254', points }), secretScalars(), options);
      told.push(made.report, sums.report, cached.capabilities);
      await cached.dispose();
      const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files.length).toBeGreaterThan(0);
      for (const entry of files) {
        const contents = readFileSync(join(entry.parentPath, entry.name));
        expectDiscreet(entry.name);
        expectDiscreet(contents.toString('hex'));
        expectDiscreet(contents.toString('latin1'));
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
    expect(told.length).toBeGreaterThan(50);
    expectDiscreet(told.map((each) => textOf(each)).join('\n'));
  });
});
