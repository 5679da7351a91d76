import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumFolders } from './chromium.mjs';
import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { hasGpu } from './gpu.mjs';
import { SetupError } from './run.mjs';

/**
 * The environment in which WebGPU in Node finds its driver: on Linux without a GPU, Chromium's software driver or
 * Mesa's.
 *
 * @param {string} chromium
 * @returns {Record<string, string>}
 */
export function vulkanDriver(chromium) {
  if (process.platform !== 'linux') return {};
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

/**
 * The environment in which a browser finds Mesa's software driver, lavapipe, on Linux without a GPU, where it is
 * installed for root on Debian.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function requireLavapipe() {
  if (process.platform !== 'linux' || process.env.VK_DRIVER_FILES || hasGpu()) return {};
  const find = () => lavapipeDrivers().find((path) => existsSync(path));
  const packages = ['mesa-vulkan-drivers'];
  if ((find() === undefined || !hasLoader()) && canInstall()) await installDebianPackages(packages);
  const driver = find();
  if (driver !== undefined) return { VK_DRIVER_FILES: driver };
  throw new SetupError(`No GPU and no lavapipe found. Install it (Debian: \`${installCommand(packages)}\`)`);
}

/** Whether WebGPU in Node finds the Vulkan loader that it needs on Linux. Chromium carries its own. */
export function hasLoader() {
  if (process.platform !== 'linux') return true;
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
  return [...swiftShader, ...lavapipeDrivers()];
}

function lavapipeDrivers() {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return ['lvp_icd.json', `lvp_icd.${machine}.json`].map((name) => join('/usr/share/vulkan/icd.d', name));
}
