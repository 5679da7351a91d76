import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PippinError } from '../../base/errors.js';

/**
 * Dawn, if the peer dependency `webgpu` is installed. Its instance must stay referenced, because the process crashes
 * when it is garbage-collected.
 */
export async function dawn(): Promise<GPU | undefined> {
  if (instance !== undefined) return instance;
  let module: typeof import('webgpu');
  try {
    module = await import('webgpu');
  } catch (error) {
    throw new PippinError('WEBGPU_UNAVAILABLE', "expected the package 'webgpu', which gives Node its WebGPU", {
      cause: error,
      hint: 'npm install webgpu',
    });
  }
  Object.assign(globalThis, module.globals);
  pacePolling(globalThis);
  instance = module.create([]);
  return instance;
}

let instance: GPU | undefined;

/** A wait is polled at every turn of the event loop for so long: most waits for a GPU's result are shorter. */
const BUSY_MS = 10;
/** Between polls of a longer wait. */
const PAUSE_MS = 1;

/**
 * Adds a back-off to Dawn's polling where it waits long. Node's binding of Dawn (package `webgpu`) polls by
 * `setImmediate` as long as anything is pending, from within the callback of the poll before. So a thread that waits
 * for the GPU, or for its driver to compile, keeps a core busy, which the workers or that driver could use. This
 * replaces `setImmediate` of the given global object, which Dawn looks up at each poll. It takes the clock and the
 * timer once, so that a wait also ends while a test has replaced them by fake ones.
 */
export function pacePolling(scope: { setImmediate: unknown }): void {
  const immediate = scope.setImmediate as (callback: () => void) => unknown;
  const { setTimeout } = globalThis;
  const now = performance.now.bind(performance);
  let isPolling = false;
  let began = 0;
  scope.setImmediate = (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
    const run = () => {
      isPolling = true;
      try {
        callback(...args);
      } finally {
        isPolling = false;
      }
    };
    if (!isPolling) began = now();
    return now() - began < BUSY_MS ? immediate(run) : setTimeout(run, PAUSE_MS);
  };
}

/** Device files of GPUs: of the kernel's DRM drivers, in a folder of their own; NVIDIA's; WSL's; and phones'. */
const GPU_FILES = /^(renderD\d+|nvidia\d+|dxg|kgsl-3d\d+|mali\d+)$/;
/** By these variables a user names the Vulkan drivers, such as one that computes in software. */
const DRIVER_VARIABLES = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES', 'VK_ADD_DRIVER_FILES'];

/**
 * `WEBGPU_UNAVAILABLE` if a Linux system has no device file of a GPU: then Dawn could find software adapters at most,
 * and takes 60 MB of memory to say so. Not where a user names the Vulkan drivers.
 */
export async function expectGpuDevice(devices = '/dev', env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (DRIVER_VARIABLES.some((name) => env[name])) return;
  const lists = await Promise.all([devices, join(devices, 'dri')].map((folder) => readdir(folder).catch(() => [])));
  if (lists.flat().some((name) => GPU_FILES.test(name))) return;
  throw new PippinError('WEBGPU_UNAVAILABLE', `expected a GPU, got a system with no device file of one in ${devices}`, {
    hint: 'in a container, pass it the GPU (docker: --gpus all, or --device /dev/dri)',
  });
}

/** Without the Vulkan loader there is no adapter, whatever GPU and driver the machine has. */
export function explainOnLinux(error: unknown, hasLoader: boolean): PippinError | undefined {
  if (hasLoader) return undefined;
  return new PippinError('WEBGPU_UNAVAILABLE', 'expected the Vulkan loader (libvulkan.so.1), got a system without it', {
    cause: error,
    hint: 'install it: libvulkan1 on Debian and Ubuntu, vulkan-loader on Fedora and Alpine, vulkan-icd-loader on Arch',
  });
}

/** The Vulkan loader: the library through which WebGPU in Node finds GPUs on Linux. */
const LIBRARY = 'libvulkan.so.1';

/** Where a Linux system keeps libraries. */
interface LibraryPlaces {
  readonly folders: readonly string[];
  /** The dynamic linker's own list, a file that names every library it knows. */
  readonly linkerCache: string;
}

const MULTIARCH: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** The places of this machine. */
function libraryPlaces(): LibraryPlaces {
  const own = (process.env.LD_LIBRARY_PATH ?? '').split(':').filter((folder) => folder !== '');
  const roots = ['/lib', '/usr/lib', '/lib64', '/usr/lib64', '/usr/local/lib'];
  const multiarch = MULTIARCH[process.arch];
  const nested = multiarch === undefined ? [] : roots.map((root) => join(root, multiarch));
  return { folders: [...own, ...roots, ...nested], linkerCache: '/etc/ld.so.cache' };
}

/** Whether the Vulkan loader is installed. */
export async function hasVulkanLoader({ folders, linkerCache }: LibraryPlaces = libraryPlaces()): Promise<boolean> {
  for (const folder of folders) if (await exists(join(folder, LIBRARY))) return true;
  try {
    return (await readFile(linkerCache)).includes(LIBRARY);
  } catch {
    return false;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
