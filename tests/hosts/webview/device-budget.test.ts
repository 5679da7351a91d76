import { expect, it } from 'vitest';
import { deviceBudget } from '../../../sdk/hosts/webview/device-budget.js';

const MIB = 2 ** 20;

it.each([
  { memory: undefined, cores: undefined, memoryBudget: 256, threads: 1 },
  { memory: undefined, cores: 6, memoryBudget: 256, threads: 4 },
  { memory: 0.25, cores: 8, memoryBudget: 64, threads: 1 },
  { memory: 1, cores: 8, memoryBudget: 64, threads: 1 },
  { memory: 2, cores: 8, memoryBudget: 128, threads: 2 },
  { memory: 4, cores: 8, memoryBudget: 256, threads: 4 },
  { memory: 4, cores: 2, memoryBudget: 256, threads: 2 },
  { memory: 8, cores: 8, memoryBudget: 512, threads: 4 },
  { memory: 32, cores: 16, memoryBudget: 1024, threads: 4 },
])('a device of $memory GiB and $cores cores has $memoryBudget MiB and $threads workers', (device) => {
  const { memory, cores, memoryBudget, threads } = device;
  expect(deviceBudget({ memory, cores })).toEqual({ memoryBudget: memoryBudget * MIB, threads });
});

it('the caller chooses either or both', () => {
  const device = { memory: 8, cores: 8 };
  expect(deviceBudget(device, { memoryBudget: 100 * MIB })).toEqual({ memoryBudget: 100 * MIB, threads: 1 });
  expect(deviceBudget(device, { threads: 8 })).toEqual({ memoryBudget: 512 * MIB, threads: 8 });
  expect(deviceBudget(device, { memoryBudget: 1, threads: 0 })).toEqual({ memoryBudget: 1, threads: 0 });
});
