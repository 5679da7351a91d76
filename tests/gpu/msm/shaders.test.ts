import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { stageCode } from '../../../sdk/gpu/msm/compose.js';
import { STAGES } from '../../../sdk/gpu/msm/pipeline.js';
import type { GpuDevice } from '../../../sdk/gpu/runtime/device.js';
import { openTestDevice } from './stage-lab.js';

/** Every stage, and once more those that may multiply by bytes. */
const kernels = [
  ...STAGES.map((stage) => ({ stage, products: 'limbs' as const })),
  ...STAGES.filter(({ prelude }) => prelude === 'bases').map((stage) => ({ stage, products: 'bytes' as const })),
];

/** Storage buffers that a shader may bind on every device. */
const DEFAULT_STORAGE_BUFFERS = 8;

describe('the kernels', () => {
  let gpu: GpuDevice;

  beforeAll(async () => {
    gpu = await openTestDevice({ limits: 'default' });
  });

  afterAll(() => gpu.destroy());

  for (const { id: curve } of Object.values(CURVES).filter(({ wgslLimbsPerTurn }) => wgslLimbsPerTurn !== undefined)) {
    for (const { stage, products } of kernels) {
      it(`${stage.name} (${stage.prelude ?? 'plain'}, by ${products}) of ${curve} is valid WGSL without a warning, within the default limits`, async () => {
        const code = stageCode(curve, stage, products);
        const { value, done } = gpu.checked(() => gpu.device.createShaderModule({ code }));
        const { messages } = await value.getCompilationInfo();
        expect(messages.map(({ message }) => message)).toEqual([]);
        await done;
        expect(stage.access.length).toBeLessThanOrEqual(DEFAULT_STORAGE_BUFFERS);
        expect(code.match(/@binding\((\d+)\)/g)).toHaveLength(stage.access.length + 1);
        expect(code).toContain(`@workgroup_size(${stage.workgroupSize})`);
      });
    }
  }
});
