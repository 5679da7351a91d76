import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasVulkanLoader } from '../../../sdk/hosts/node/node-gpu.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-vulkan-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('hasVulkanLoader', () => {
  it('finds the library in a folder', async () => {
    const places = { folders: [join(folder, 'none'), folder], linkerCache: join(folder, 'none') };
    expect(await hasVulkanLoader(places)).toBe(false);
    await writeFile(join(folder, 'libvulkan.so'), '');
    expect(await hasVulkanLoader(places)).toBe(false);
    await writeFile(join(folder, 'libvulkan.so.1'), '');
    expect(await hasVulkanLoader(places)).toBe(true);
  });

  it("finds it in the linker's cache", async () => {
    const linkerCache = join(folder, 'ld.so.cache');
    await writeFile(linkerCache, 'glibc-ld.so.cache1.1\0libc.so.6\0/lib/libc.so.6\0');
    expect(await hasVulkanLoader({ folders: [], linkerCache })).toBe(false);
    await writeFile(linkerCache, 'glibc-ld.so.cache1.1\0libvulkan.so.1\0/opt/lib/libvulkan.so.1\0');
    expect(await hasVulkanLoader({ folders: [], linkerCache })).toBe(true);
  });
});
