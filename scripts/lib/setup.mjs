import { chromiumFlags, findChromium, webgpuFlags } from './chromium.mjs';
import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { hasFonts } from './fonts.mjs';
import { hasGpu } from './gpu.mjs';
import { installPackages } from './packages.mjs';
import { answers, SetupError } from './run.mjs';
import { hasLoader, vulkanDriver } from './vulkan.mjs';

const NODE_WANTED = [20, 19];

/**
 * Makes the machine ready and says with what. Only Node's own modules are used up to here, since packages may be
 * missing.
 *
 * `env` is for the programs that are started: the Chromium and its WebGPU flags, and the Vulkan driver for WebGPU in
 * Node.
 *
 * @param {{ vulkan?: boolean }} [needs] whether WebGPU in Node will be used; default true
 */
export async function setUp({ vulkan = true } = {}) {
  expectNode();
  await installPackages();
  await installPrograms(vulkan);
  const chromium = requireChromium();
  const driver = vulkan ? vulkanDriver(chromium) : {};
  return {
    chromium,
    chromiumFlags: chromiumFlags(),
    software: !hasGpu(),
    env: { PIPPIN_CHROMIUM: chromium, PIPPIN_CHROMIUM_FLAGS: webgpuFlags().join(' '), ...driver },
  };
}

/** Throws if this Node is older than what Pippin needs. */
export function expectNode() {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] < NODE_WANTED[0] || (version[0] === NODE_WANTED[0] && version[1] < NODE_WANTED[1])) {
    throw new SetupError(`expected Node ${NODE_WANTED.join('.')} or newer, got ${process.versions.node}`);
  }
}

/** Installs what is missing beside npm's packages, or says how to. @param {boolean} vulkan */
async function installPrograms(vulkan) {
  const missing = missingPrograms(vulkan);
  if (missing.length === 0) return;
  if (canInstall()) {
    await installDebianPackages(missing.map((program) => program.debian));
    const still = missingPrograms(vulkan).filter((program) => program.needed);
    if (still.length > 0) throw new SetupError(`apt-get ended, and there is still no ${names(still)}`);
    return;
  }
  const command = installCommand(missing.map((program) => program.debian));
  if (missing.every((program) => !program.needed)) {
    console.warn(`No ${names(missing)} found: pages will show no text. On Debian: ${command}`);
    return;
  }
  const elsewhere = process.platform === 'darwin' ? '`brew install --cask chromium`' : `Debian: \`${command}\``;
  throw new SetupError(
    `No ${names(missing)} found, and only root on Debian can have this installed here.\n` +
      `Install it (${elsewhere}), or name a Chromium: PIPPIN_CHROMIUM=/path/to/chromium`,
  );
}

/**
 * @param {boolean} vulkan
 * @returns {{ name: string, debian: string, needed: boolean }[]}
 */
function missingPrograms(vulkan) {
  return [
    { name: 'Chromium', debian: 'chromium', needed: true, found: findChromium() !== undefined },
    { name: 'Vulkan loader', debian: 'libvulkan1', needed: true, found: !vulkan || hasLoader() },
    { name: 'fonts', debian: 'fonts-liberation', needed: false, found: hasFonts() },
  ].filter(({ found }) => !found);
}

/** @param {readonly { name: string }[]} programs */
function names(programs) {
  return programs.map(({ name }) => name).join(', no ');
}

/** The Chromium to drive. On Linux it is tried, since one that was copied there may lack its libraries. */
function requireChromium() {
  const chromium = findChromium();
  if (chromium === undefined || (process.platform === 'linux' && !answers(chromium))) {
    throw new SetupError(`expected a Chromium that starts, got one that fails: ${chromium} --version`);
  }
  return chromium;
}
