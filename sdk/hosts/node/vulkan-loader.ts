import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The Vulkan loader: the library through which WebGPU in Node finds GPUs on Linux. */
const LIBRARY = 'libvulkan.so.1';

/** Where a Linux system keeps libraries. */
export interface LibraryPlaces {
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
