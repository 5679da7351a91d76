import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { checkNoMachinePaths } from './machine-paths.mjs';
import { packed } from './npm.mjs';
import { checkContents, checkSize } from './package-contents.mjs';

/**
 * Fails unless a package as it is built holds what it should and no more, within its limits, and no path of this
 * machine.
 *
 * @param {string} [place] of the package within the repository; by default its root
 * @returns {string} its size, and that of each kind of file in it
 */
export function checkPackage(place = '') {
  const { files, size, unpackedSize } = packed(join(root, place));
  const folder = root.replace(/[\\/]$/, '');
  const manifest = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
  checkContents(
    files.map(({ path }) => path),
    manifest,
  );
  checkSize({ files: files.length, packedBytes: size, unpackedBytes: unpackedSize });
  for (const { path } of files) checkNoMachinePaths(join(place, path), readFileSync(join(root, place, path)), folder);
  /** @type {Map<string, { count: number, bytes: number }>} */
  const kinds = new Map();
  for (const { path, size: bytes } of files) {
    const kind = kindOf(path);
    const sum = kinds.get(kind) ?? { count: 0, bytes: 0 };
    kinds.set(kind, { count: sum.count + 1, bytes: sum.bytes + bytes });
  }
  const lines = [...kinds].map(([kind, { count, bytes }]) => `  ${kind}: ${count} files, ${bytes} bytes`);
  return [`${manifest.name} holds ${files.length} files, ${unpackedSize} bytes (${size} packed):`, ...lines].join('\n');
}

/** @param {string} path */
function kindOf(path) {
  const ending = /\.(?:d\.ts|js|wasm)$/.exec(path);
  return ending === null ? 'texts' : `*${ending[0]}`;
}
