import { existsSync, readdirSync } from 'node:fs';

const DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d'];

/**
 * Whether this machine has a GPU with a driver. On Linux both are looked for, since containers often have one without
 * the other; other systems always have one.
 */
export function hasGpu() {
  if (process.platform !== 'linux') return true;
  const drivers = DRIVER_FOLDERS.flatMap((folder) => list(folder)).filter((name) => name.endsWith('.json'));
  if (list('/dev').some((name) => /^nvidia\d+$/.test(name)) && drivers.some((name) => name.startsWith('nvidia')))
    return true;
  const isHardware = (/** @type {string} */ name) => !/^(lvp|vk_swiftshader|nvidia|virtio)/.test(name);
  return list('/dev/dri').some((name) => name.startsWith('renderD')) && drivers.some(isHardware);
}

/** @param {string} folder */
function list(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
