import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { bn254, type Curve, edwardsBls12 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { createProver } from '../support/prover.js';
import { adversarialScalars } from '../support/scalars.js';

/** Points with an infinity among them, so that some scalars are left out, and what their sums must be. */
function operands(curve: Curve, count: number) {
  const { points, factors } = progression(curve, count, 11n ** 50n, 13n ** 40n);
  points[3] = undefined;
  factors[3] = 0n;
  const expected = (scalars: readonly bigint[]) =>
    encodePoint(curve.id, 'g1', multipleOf(curve, dot(factors, scalars)));
  return { bytes: encodePoints(curve, points), expected };
}

async function expectSums(prover: Prover, curve: Curve, count: number, executors: readonly string[]): Promise<void> {
  const { bytes, expected } = operands(curve, count);
  const bases = await prover.loadBases({ curve: curve.id, points: bytes });
  const kinds = Object.values(adversarialScalars(count, curve.fr.modulus));
  for (const [i, scalars] of kinds.entries()) {
    const result = await prover.msm(bases, encodeScalars(scalars));
    expect(result.bytes).toEqual(expected(scalars));
    // In later sums one that has shown to be slow may have no share.
    if (i === 0) expect(result.report.executors.msm).toEqual(executors);
  }
  const batch = await prover.msmBatch(bases, encodeScalars(kinds.flat()), { batchSize: kinds.length });
  expect(batch.points.map((point) => point.bytes)).toEqual(kinds.map(expected));
  await bases.dispose();
}

// Each process compiles the kernels for itself: over the curve whose kernels take a software adapter the least time.
describe('sums that are divided', () => {
  const start = (options: ProverOptions) => createProver({ cache: false, ...options });

  it('among the workers are right', async () => {
    const prover = await start({ backend: 'wasm', threads: 3, split: true });
    try {
      for (const count of [5, 130, 500]) await expectSums(prover, bn254, count, ['wasm']);
      await expectSums(prover, edwardsBls12, 300, ['wasm']);
    } finally {
      await prover.dispose();
    }
  });

  it('between the GPU and a worker are right, and take multiples where there are some', async () => {
    const prover = await start({ backend: 'webgpu', threads: 1, split: true });
    try {
      await expectSums(prover, edwardsBls12, 500, ['webgpu', 'wasm']);
      const { bytes, expected } = operands(edwardsBls12, 300);
      const bases = await prover.loadBases({ curve: 'edwards-bls12', points: bytes, precompute: 2 });
      const { random } = adversarialScalars(300, edwardsBls12.fr.modulus);
      expect((await prover.msm(bases, encodeScalars(random!))).bytes).toEqual(expected(random!));
    } finally {
      await prover.dispose();
    }
  });
});

describe('sums that are divided among processes', () => {
  let folder: string;
  let prover: Prover;
  const notices: Notice[] = [];
  const pidFile = (device: number): string => join(folder, `${device}`);
  /** Notes the number of the process, which then becomes Node. */
  const device = (number: number) => ({
    command: ['sh', '-c', 'echo $$ > "$PID_FILE"; exec "$@"', '--'],
    env: { PID_FILE: pidFile(number) },
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pippin-'));
    const devices = [device(1), device(2)];
    const onNotice = (notice: Notice): void => void notices.push(notice);
    prover = await createProver({ backend: 'webgpu', threads: 1, cache: false, devices, onNotice });
  });
  afterAll(async () => {
    await prover.dispose();
    await rm(folder, { recursive: true });
  });

  it('are right', async () => {
    await expectSums(prover, edwardsBls12, 300, ['webgpu']);
    expect(notices.map(({ code }) => code)).toEqual(['WEBGPU_SOFTWARE']);
  });

  it('stop when they are aborted, and go on after that', async () => {
    const { bytes, expected } = operands(edwardsBls12, 400);
    const bases = await prover.loadBases({ curve: 'edwards-bls12', points: bytes });
    const { random } = adversarialScalars(400, edwardsBls12.fr.modulus);
    const controller = new AbortController();
    const aborted = prover.msm(bases, encodeScalars(random!), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await prover.msm(bases, encodeScalars(random!))).bytes).toEqual(expected(random!));
  });

  it('are right although a process dies in the middle of one, and without it from then on', async () => {
    const count = 3000;
    const { bytes, expected } = operands(edwardsBls12, count);
    const bases = await prover.loadBases({ curve: 'edwards-bls12', points: bytes });
    const { random } = adversarialScalars(count, edwardsBls12.fr.modulus);
    let killed = false;
    const result = await prover.msm(bases, encodeScalars(random!), {
      onProgress: () => {
        if (!killed) process.kill(Number(readFileSync(pidFile(2), 'utf8')), 'SIGKILL');
        killed = true;
      },
    });
    expect(result.bytes).toEqual(expected(random!));
    expect(result.report.notices).toMatchObject([
      { code: 'MSM_REDONE', message: expect.stringContaining('device 2 failed (DEVICE_LOST') },
    ]);
    const again = await prover.msm(bases, encodeScalars(random!));
    expect(again.bytes).toEqual(expected(random!));
    expect(again.report.notices).toEqual([]);
    await expectSums(prover, edwardsBls12, 200, ['webgpu']);
  });
});

describe('devices', () => {
  it('that cannot be opened are an error for a caller who requires WebGPU, and a notice for others', async () => {
    const devices = [{ command: ['false'] }];
    await expect(createProver({ backend: 'webgpu', cache: false, devices })).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
      message: expect.stringContaining('device 1'),
    });
    const notices: string[] = [];
    const onNotice = ({ code }: Notice): void => void notices.push(code);
    const prover = await createProver({ backend: 'auto', threads: 2, cache: false, devices, onNotice });
    try {
      await expectSums(prover, bn254, 100, ['wasm']);
      expect(notices).toContain('WEBGPU_UNAVAILABLE');
    } finally {
      await prover.dispose();
    }
  });

  it.each<[string, object]>([
    ['no list', { devices: {} }],
    ['a device that is no object', { devices: [1] }],
    ['a command that is no list', { devices: [{ command: 'env' }] }],
    ['a command of something else', { devices: [{ command: [1] }] }],
    ['an environment of something else', { devices: [{ env: { A: 1 } }] }],
    ['devices for the workers', { backend: 'wasm', devices: [{}] }],
    ['a split that is none', { split: 'half' }],
  ])('refuse %s', async (_, options) => {
    await expect(createProver(options as ProverOptions)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
