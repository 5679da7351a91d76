import { afterEach, expect, it, vi } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { PippinError } from '../../sdk/base/errors.js';
import { bn254 } from '../../sdk/curves/index.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { explainOnLinux } from '../../sdk/hosts/node/node-gpu.js';
import { gate } from '../bases/fake-backend.js';
import { fakeDevice, wrongGpu } from '../support/fake-gpu.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars } from '../support/points.js';

vi.mock('../../sdk/executors/gpu/runtime/device.js', async (original) => ({
  ...(await original<typeof import('../../sdk/executors/gpu/runtime/device.js')>()),
  openDevice: vi.fn(),
}));

let prover: Prover | undefined;
afterEach(async () => {
  await prover?.dispose();
  vi.restoreAllMocks();
});

const GENERATOR = encodePoints(bn254, [bn254.g1.generator]);

const gpu = async (): Promise<GPU> => ({}) as GPU;

async function start(backend: 'auto' | 'webgpu'): Promise<{ prover: Prover; notices: Notice[] }> {
  const notices: Notice[] = [];
  prover = await inPlaceProver({ backend, threads: 1, onNotice: (notice) => notices.push(notice) }, { gpu });
  return { prover, notices };
}

it('leaves a software adapter alone and says so, unless WebGPU was asked for', async () => {
  const destroyed = vi.fn(async () => undefined);
  vi.mocked(openDevice).mockImplementation(async () => Object.assign(fakeDevice(true), { destroy: destroyed }));

  const automatic = await start('auto');
  await expect.poll(() => automatic.notices).toHaveLength(1);
  expect(automatic.prover.capabilities).toMatchObject({
    backend: 'wasm',
    webgpu: { available: false, opening: false, reason: expect.stringContaining('software adapter (fake)') },
  });
  expect(automatic.notices.map(({ code }) => code)).toEqual(['WEBGPU_SOFTWARE']);
  expect(automatic.notices[0]!.message).toContain('the WASM workers do all the work');
  expect(destroyed).toHaveBeenCalledTimes(1);
  await automatic.prover.dispose();

  const asked = await start('webgpu');
  expect(asked.prover.capabilities).toMatchObject({ backend: 'webgpu', webgpu: { available: true, software: true } });
  expect(asked.notices.map(({ code }) => code)).toEqual(['WEBGPU_SOFTWARE']);
});

it('does not wait for the GPU, and says when it has taken over', async () => {
  const opening = gate();
  vi.mocked(openDevice).mockImplementation(async () => {
    await opening.opened;
    return fakeDevice(false);
  });
  wrongGpu();
  const { prover, notices } = await start('auto');
  expect(prover.capabilities).toMatchObject({ backend: 'wasm', webgpu: { available: false, opening: true } });
  const bases = await prover.loadBases({ curve: 'bn254', points: GENERATOR });
  // This GPU gives no sums that can be checked.
  const msm = () => prover.msm(bases, encodeScalars([5n]), { check: 'curve' });
  expect((await msm()).report.parts).toEqual({ msm: 'wasm' });
  expect(notices).toEqual([]);

  opening.open();
  await expect.poll(() => notices.map(({ code }) => code)).toEqual(['WEBGPU_READY']);
  expect(notices[0]!.message).toContain('bn254');
  expect(prover.capabilities).toMatchObject({ backend: 'webgpu', webgpu: { available: true, software: false } });
  expect((await msm()).report.parts).toEqual({ msm: 'webgpu' });
});

it('waits no longer for the time to open the GPU once the prover was disposed', async () => {
  const opened = vi.mocked(openDevice).mockClear();
  const later = await inPlaceProver({ backend: 'auto', threads: 1 }, { gpu, gpuDelayMs: 2 ** 30 });
  expect(later.capabilities.webgpu).toMatchObject({ opening: true });
  await later.dispose();
  expect(opened).not.toHaveBeenCalled();
});

it('frees a GPU that opens after the prover was disposed', async () => {
  const opening = gate();
  const destroyed = vi.fn(async () => undefined);
  vi.mocked(openDevice).mockImplementation(async () => {
    await opening.opened;
    return Object.assign(fakeDevice(false), { destroy: destroyed });
  });
  const { prover, notices } = await start('auto');
  const disposed = prover.dispose();
  opening.open();
  await disposed;
  expect(destroyed).toHaveBeenCalledTimes(1);
  expect(notices).toEqual([]);
});

it('says what the machine lacks where the platform knows it', async () => {
  const cause = new PippinError('WEBGPU_UNAVAILABLE', 'expected a WebGPU adapter, got none');
  vi.mocked(openDevice).mockRejectedValue(cause);
  const explainNoAdapter = async (error: unknown) => explainOnLinux(error, false);
  const expected = { code: 'WEBGPU_UNAVAILABLE', message: expect.stringContaining('libvulkan.so.1') };
  await expect(inPlaceProver({ backend: 'webgpu', threads: 1 }, { gpu, explainNoAdapter })).rejects.toMatchObject({
    ...expected,
    hint: expect.stringContaining('libvulkan1'),
  });
  expect(explainOnLinux(cause, true)).toBeUndefined();
});
