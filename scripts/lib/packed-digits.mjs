import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run.mjs';

const SOURCE = 'bench/research/strategies/worker-digits/assembly/pack-digits.ts';

/**
 * Compiles the WASM by which the benchmark's workers cut digits of 16 bits.
 *
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function compilePackedDigits() {
  // It is loaded only here, because loading the compiler takes long.
  const { default: asc } = await import('assemblyscript/asc');
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  let binary;
  const { error, stderr } = await asc.main([SOURCE, '--target', 'release', '--outFile', 'packed-digits.wasm'], {
    readFile: (file) => readFile(join(root, file), 'utf8').catch(() => null),
    writeFile: (file, contents) => {
      if (typeof contents !== 'string' && file.endsWith('.wasm')) binary = new Uint8Array(contents);
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) {
    throw new Error(`${SOURCE} does not compile: ${stderr.toString()}`, { cause: error });
  }
  return binary;
}
