import { chromiumFlags, ensureChromium, webgpuFlags } from './chromium.mjs';
import { hasGpu } from './gpu.mjs';
import { installPackages } from './packages.mjs';
import { SetupError } from './run.mjs';
import { ensureVulkan } from './vulkan.mjs';

const NODE_WANTED = [20, 19];

/**
 * Makes the machine ready and says with what. Only Node's own modules are used up to here, since packages may be missing.
 *
 * `env` is for the programs that are started: the Chromium and its WebGPU flags, and the Vulkan driver for WebGPU in Node.
 *
 * @param {{ vulkan?: boolean }} [needs] whether WebGPU in Node will be used; default true
 */
export async function setUp({ vulkan = true } = {}) {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] < NODE_WANTED[0] || (version[0] === NODE_WANTED[0] && version[1] < NODE_WANTED[1])) {
    throw new SetupError(`expected Node ${NODE_WANTED.join('.')} or newer, got ${process.versions.node}`);
  }
  await installPackages();
  const chromium = await ensureChromium();
  const driver = vulkan ? await ensureVulkan(chromium) : {};
  return {
    chromium,
    chromiumFlags: chromiumFlags(),
    software: !hasGpu(),
    env: { PIPPIN_CHROMIUM: chromium, PIPPIN_CHROMIUM_FLAGS: webgpuFlags().join(' '), ...driver },
  };
}
