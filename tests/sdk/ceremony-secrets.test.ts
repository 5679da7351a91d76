import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { blake2b } from '@noble/hashes/blake2.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import { ChaCha } from '../../sdk/ceremony/chacha.js';
import { drawScalar } from '../../sdk/ceremony/draws.js';
import type * as Ceremony from '../../sdk/ceremony-node.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { bn254 } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/curves/modular.js';
import { signedWindows } from '../../sdk/executors/workers/kernel/ceremony/scale-points.js';
import { r1csFile, type Sums } from '../ceremony/r1cs-file.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { built } from '../support/in-process-engine.js';
import { knownByte } from '../support/known-random.mjs';
import { writePreparedPowers } from '../support/prepared-powers.js';
import { canReadMemory, countInMemory, type Mark, marksOf, NODES } from '../support/process-memory.js';
import { root } from '../support/root.js';
import { withSection } from '../support/section-bytes.js';

const r = bn254.fr.modulus;
/** Large enough that a call is aborted while its workers multiply points. */
const POWER = 11;
/** On a GPU nothing is aborted, and a software adapter multiplies slowly. */
const POWER_ON_GPU = 6;
/** Between two looks at the memory of a process that computes. */
const MOMENT_MS = 5;
const ENTROPY = 'what the contributor typed';

const random = Uint8Array.from({ length: 64 }, (_, i) => knownByte(i));
const seed = blake2b(new Uint8Array([...random, ...new TextEncoder().encode(ENTROPY)]), { dkLen: 64 });

/** The first secrets that follow from the seed. */
function secrets(count: number): bigint[] {
  const stream = new ChaCha(seed);
  return Array.from({ length: count }, () => (bytesToBigint(drawScalar(stream, bn254)) * inverse(1n << 256n, r)) % r);
}

/** The seed, and what secrets are drawn from. */
const ofSeed: Mark[] = [
  { name: 'random bytes', bytes: random.slice(0, 32) },
  { name: 'seed', bytes: seed.slice(0, 32) },
  { name: 'end of the seed', bytes: seed.slice(32) },
  { name: 'words of the seed', bytes: Uint8Array.from({ length: 32 }, (_, i) => seed[i ^ 3]!) },
];

/**
 * A scalar's halves under the endomorphism, without the byte of their sign, and their digits. A rounding that differs
 * gives neighbours.
 */
function marksOfHalves(name: string, scalar: bigint): Mark[] {
  const [[a, b], [c, d]] = ENDOMORPHISMS.bn254!.basis;
  const determinant = a * d - b * c;
  const [first, second] = [(d * scalar) / determinant, (-b * scalar) / determinant];
  const marks = new Map<bigint, Mark[]>();
  for (const p of [first - 1n, first, first + 1n]) {
    for (const q of [second - 1n, second, second + 1n]) {
      for (const half of [scalar - p * a - q * c, -p * b - q * d]) {
        const absolute = half < 0n ? -half : half;
        if (absolute >> 127n) continue;
        const bytes = bigintToBytes(absolute, 16);
        marks.set(absolute, [
          { name: `half of ${name}`, bytes: bytes.slice(0, 15) },
          { name: `digits of ${name}`, bytes: new Uint8Array(signedWindows(bytes).buffer) },
        ]);
      }
    }
  }
  return [...marks.values()].flat();
}

function marksOfKey(): Mark[] {
  const [x] = secrets(1) as [bigint];
  const inverseOfX = inverse(x, r);
  return [...ofSeed, ...marksOf('x', x, r), ...marksOf('1/x', inverseOfX, r), ...marksOfHalves('1/x', inverseOfX)];
}

/** What the GPU is given for 1/x: 8 more in every window of four bits. */
function marksOfRecoded(): Mark[] {
  const [x] = secrets(1) as [bigint];
  return [{ name: '1/x, recoded', bytes: bigintToBytes(inverse(x, r) + BigInt(`0x${'8'.repeat(64)}`), 32) }];
}

function marksOfPowers(): Mark[] {
  const [tau, alpha, beta] = secrets(3) as [bigint, bigint, bigint];
  const marks = [...ofSeed, ...marksOf('alpha', alpha, r), ...marksOf('beta', beta, r)];
  // Scalars of some points, and with which slices of 2^10 points begin.
  for (let i = 1, power = tau; i <= 2 ** POWER; i++, power = (power * tau) % r) {
    if (![1, 2, 7, 1000, 1024, 1025, 2048].includes(i)) continue;
    marks.push(...marksOf(`tau^${i}`, power, r), ...marksOfHalves(`tau^${i}`, power));
    marks.push(
      ...marksOf(`alpha tau^${i}`, (alpha * power) % r, r),
      ...marksOf(`beta tau^${i}`, (beta * power) % r, r),
    );
  }
  return marks;
}

const folder = mkdtempSync(join(tmpdir(), 'pippin-ceremony-secrets-'));
const file = (name: string): string => join(folder, name);
beforeAll(async () => {
  const ceremony: typeof Ceremony = await import(/* @vite-ignore */ built('ceremony-node.js'));
  for (const [power, name] of [
    [POWER, 'first.zkey'],
    [POWER_ON_GPU, 'small.zkey'],
  ] as const) {
    await writePreparedPowers(power, file('prepared.ptau'));
    const some: Sums = [[[1, 1n]], [[2, 3n]], [[0, 1n]]];
    const constraints = Array.from({ length: 2 ** power - 20 }, (_, i): Sums => (i % 500 === 0 ? some : [[], [], []]));
    writeFileSync(file('circuit.r1cs'), r1csFile({ prime: r, wires: 5, publicInputs: 1, constraints }));
    await ceremony.newKey(file('circuit.r1cs'), file('prepared.ptau'), { to: file(name) });
  }
  await ceremony.exportBellman(file('first.zkey'), { to: file('params') });
  await ceremony.newPowersOfTau({ curve: 'bn254', power: POWER, to: file('first.ptau') });
  await ceremony.exportChallenge(file('first.ptau'), { to: file('challenge') });
  // The last points are damaged: of H, and of beta in G2.
  for (const [name, id] of [
    ['first.zkey', 9],
    ['first.ptau', 6],
  ] as const) {
    const damaged = withSection(readFileSync(file(name)), id, (body) => {
      body[body.length - 5]! ^= 1;
      return body;
    });
    writeFileSync(file(`damaged.${name}`), damaged);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A message to the process (tests/support/contributing-process.mjs). */
interface Action {
  readonly call: keyof typeof Ceremony;
  readonly input: string;
  readonly options?: object;
  /** The fraction of the work after which the call is aborted. */
  readonly abortedAt?: number;
  /** So many parts are written until the file's disk is full. */
  readonly writes?: number;
}

describe.runIf(canReadMemory()).each(NODES)('the memory of a process that contributes in %s', (execPath) => {
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill('SIGKILL'));

  /** Starts a process that has computed nothing yet; its answer comes later, with the code of an error if it fails. */
  async function start(action: Action): Promise<{ answered: Promise<object>; ended: Promise<string | undefined> }> {
    const script = join(root, 'tests', 'support', 'contributing-process.mjs');
    child = fork(script, [built('ceremony-node.js'), folder], { execPath, execArgv: [] });
    await once(child, 'message');
    const answered = once(child, 'message').then(([answer]: { code?: string }[]) => answer!);
    child.send({ ...action, options: { entropy: ENTROPY, ...action.options } });
    return { answered, ended: answered.then(({ code }) => code) };
  }

  const key = { call: 'contribute', input: 'first.zkey' } as const;
  const params = { call: 'contributeBellman', input: 'params', options: { curve: 'bn254' } } as const;
  const powers = { call: 'contributeToPowersOfTau', input: 'first.ptau' } as const;
  const challenge = { call: 'respondToChallenge', input: 'challenge', options: { curve: 'bn254' } } as const;
  const cases: [Action, string | undefined][] = [key, params, powers, challenge].flatMap((action) => {
    const all: [Action, string | undefined][] = [
      [action, undefined],
      [{ ...action, abortedAt: 0.3 }, 'ABORTED'],
      [{ ...action, abortedAt: 0 }, 'ABORTED'],
      [{ ...action, writes: 1 }, 'IO_FAILED'],
    ];
    // The other forms of a key and of powers of tau are computed with the same scalars, by the same code; powers of tau
    // are aborted and written as keys are.
    if (EVERY_COMBINATION || action === key) return all;
    return all.slice(0, action === powers ? 2 : 1);
  });
  cases.push([{ ...key, input: 'damaged.first.zkey' }, 'INVALID_POINT']);
  cases.push([{ ...powers, input: 'damaged.first.ptau' }, 'INVALID_POINT']);

  it.each(cases)('holds no secret after %o: %s', async (action, code) => {
    const { ended } = await start(action);
    expect(await ended).toBe(code);
    const marks = [key.call, params.call].some((call) => call === action.call) ? marksOfKey() : marksOfPowers();
    expect(countInMemory(child!.pid!, marks)).toEqual({});
  });

  it('holds no secret after a contribution on the GPU', async () => {
    const { answered } = await start({ ...key, input: 'small.zkey', options: { backend: 'webgpu' } });
    expect(await answered).toEqual({ backend: 'webgpu' });
    expect(countInMemory(child!.pid!, [...marksOfKey(), ...marksOfRecoded()])).toEqual({});
  });

  it.each([
    [key, marksOfKey(), ['1/x, canonical', 'digits of 1/x']],
    [powers, marksOfPowers(), ['tau^1, canonical', 'alpha, canonical']],
  ] as const)('holds secrets while it computes: %o', async (action, marks, expected) => {
    const wanted = marks.filter(({ name }) => expected.some((other) => other === name));
    const { ended } = await start(action);
    let isRunning = true;
    void ended.finally(() => {
      isRunning = false;
    });
    const found = new Set<string>();
    while (isRunning && !expected.every((name) => found.has(name))) {
      await delay(MOMENT_MS);
      child!.kill('SIGSTOP');
      for (const name of Object.keys(countInMemory(child!.pid!, wanted))) found.add(name);
      child!.kill('SIGCONT');
    }
    expect([...found].sort()).toEqual([...expected].sort());
  });
});
