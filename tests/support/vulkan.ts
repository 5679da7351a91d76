import { existsSync } from 'node:fs';
import { hasGpu } from '../../scripts/lib/gpu.mjs';

/**
 * This file runs before every test file: without a GPU, WebGPU in Node uses the software driver of Debian's Chromium.
 */
const SOFTWARE_DRIVER = '/usr/lib/chromium/vk_swiftshader_icd.json';
if (process.env.VK_DRIVER_FILES === undefined && !hasGpu() && existsSync(SOFTWARE_DRIVER)) {
  process.env.VK_DRIVER_FILES = SOFTWARE_DRIVER;
}
