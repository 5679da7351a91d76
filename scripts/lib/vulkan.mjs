import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstall, chromiumFolders, installDebianPackages } from './chromium.mjs';
import { hasGpu } from './gpu.mjs';
import { SetupError } from './run.mjs';

/**
 * What WebGPU in Node needs on Linux: the Vulkan loader, and where there is no GPU, Chromium's software driver.
 * (Chromium carries its own loader.) Gives the environment for child processes.
 *
 * @param {string} chromium
 * @returns {Promise<Record<string, string>>}
 */
export async function ensureVulkan(chromium) {
  if (process.platform !== 'linux') return {};
  await ensureLoader();
  if (process.env.VK_DRIVER_FILES || hasGpu()) return {};
  const driver = softwareDrivers(chromium).find((path) => existsSync(path));
  if (driver === undefined) {
    throw new SetupError(
      'No GPU and no software Vulkan driver found. Install Chromium from your distribution (it brings SwiftShader) or\n' +
        'Mesa (Debian: `sudo apt-get install mesa-vulkan-drivers`), or name a driver: VK_DRIVER_FILES=/path/to/icd.json',
    );
  }
  return { VK_DRIVER_FILES: driver };
}

async function ensureLoader() {
  if (hasLoader()) return;
  if (canInstall()) {
    console.log('No Vulkan loader found: installing it (apt-get install libvulkan1) ...');
    await installDebianPackages(['libvulkan1']);
    if (hasLoader()) return;
  }
  throw new SetupError('No Vulkan loader found. Install it (Debian: `sudo apt-get install libvulkan1`)');
}

function hasLoader() {
  const named = (process.env.LD_LIBRARY_PATH ?? '').split(':').filter((folder) => folder !== '');
  const system = ['/lib', '/usr/lib', '/usr/local/lib', '/lib64', '/usr/lib64'];
  // Debian keeps libraries in a folder named after the machine, such as /usr/lib/x86_64-linux-gnu.
  const triplets = ['/lib', '/usr/lib'].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('-linux-gnu'))
          .map((name) => join(folder, name))
      : [],
  );
  return [...named, ...system, ...triplets].some((folder) => existsSync(join(folder, 'libvulkan.so.1')));
}

/** @param {string} chromium */
function softwareDrivers(chromium) {
  const swiftShader = chromiumFolders(chromium).map((folder) => join(folder, 'vk_swiftshader_icd.json'));
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const lavapipe = ['lvp_icd.json', `lvp_icd.${machine}.json`].map((name) => join('/usr/share/vulkan/icd.d', name));
  return [...swiftShader, ...lavapipe];
}
