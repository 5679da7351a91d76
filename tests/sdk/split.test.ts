import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { bn254, edwardsBls12 } from '../../sdk/curves/index.js';
import { expectMsms, operands } from '../support/expect-msms.js';
import { encodeScalars } from '../support/points.js';
import { createProver } from '../support/prover.js';
import { adversarialScalars } from '../support/scalars.js';

it('sums that are divided among the workers are right', async () => {
  const prover = await createProver({ backend: 'wasm', threads: 3, split: true, cache: false });
  try {
    for (const count of [5, 130, 500]) await expectMsms(prover, bn254, count, ['wasm']);
    await expectMsms(prover, edwardsBls12, 300, ['wasm']);
  } finally {
    await prover.dispose();
  }
});

// Each process compiles the kernels for itself: over the curve whose kernels take a software adapter the least time.
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
    await expectMsms(prover, edwardsBls12, 300, ['webgpu']);
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
    const count = 1200;
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
    await expectMsms(prover, edwardsBls12, 200, ['webgpu']);
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
      await expectMsms(prover, bn254, 100, ['wasm']);
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
