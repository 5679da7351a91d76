import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Exported functions on numbers; u64 would be a bigint and is not used. */
export type AssemblyExports = Record<string, (...args: number[]) => number> & { readonly memory: WebAssembly.Memory };

/**
 * Compiles AssemblyScript text as if it were the file wasm/<name>.ts, with the options that the shipped modules are built
 * with and the features named, and instantiates it. Gives tests the functions that no module exports.
 */
export async function assemble(name: string, text: string, features: readonly string[] = []): Promise<AssemblyExports> {
  const entry = `wasm/${name}.ts`;
  let binary: Uint8Array | undefined;
  const enable = features.flatMap((feature) => ['--enable', feature]);
  const { error, stderr } = await asc.main([entry, '--target', 'release', '--outFile', `${name}.wasm`, ...enable], {
    readFile: (file: string) => (file === entry ? text : readFile(join(root, file), 'utf8').catch(() => null)),
    writeFile: (file: string, contents: string | Uint8Array) => {
      if (typeof contents !== 'string' && file.endsWith('.wasm')) binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined)
    throw new Error(`${entry} does not compile: ${stderr.toString()}`, { cause: error });
  const { instance } = await WebAssembly.instantiate(binary as BufferSource, {});
  return instance.exports as unknown as AssemblyExports;
}
