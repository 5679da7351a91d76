import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { PAGE_FILES } from './page-files.mjs';

/** The files that a script imports by statements, with the place of each in it. Scripts that are loaded by `import()` are not among them. */
const IMPORTS = /(?:^|[;}\n])(?:import|export)\s*(?:[\w*{][^"]*?from\s*)?"\.\/([^"]+)"/g;

/** What a page may load, by name. @returns {string[]} */
function pageFiles() {
  return JSON.parse(readFileSync(join(root, PAGE_FILES), 'utf8')).files;
}

/**
 * The files of scripts with all that they import by statements, as a page downloads them: each once, though the page and its workers share some.
 *
 * @param {readonly string[]} names of scripts; a pattern such as `chunk-gpu-code-*.js` stands for all files whose names have its parts
 */
export function downloadsOf(names) {
  const all = pageFiles();
  const files = new Set(names.flatMap((name) => matching(all, name)));
  // A set gives what is added while it is gone through, too.
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    const code = readFileSync(join(root, 'dist', file), 'utf8');
    for (const [, imported] of code.matchAll(IMPORTS)) files.add(imported);
  }
  return [...files].map((file) => `dist/${file}`);
}

/** @param {readonly string[]} files @param {string} pattern */
function matching(files, pattern) {
  const [start, end = ''] = pattern.split('*');
  const found = files.filter(
    (file) => file === pattern || (pattern.includes('*') && file.startsWith(start) && file.endsWith(end)),
  );
  if (found.length === 0) throw new Error(`expected a file of a page named ${pattern}, got none`);
  return found;
}
