import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Libraries that belong to the machine itself. */
const OF_THE_MACHINE = /^(libc|libm|ld-linux-x86-64)\.so/;

/**
 * Copies a program of Linux and the libraries that it links into a folder, with a script `NAME.sh` that runs it, for a
 * bare machine. Does nothing where there is no such program.
 *
 * @param {string} name
 * @param {string} folder
 */
export function copyProgram(name, folder) {
  rmSync(folder, { recursive: true, force: true });
  if (process.platform !== 'linux') return;
  const program = output('sh', ['-c', 'command -v "$0"', name]).trim();
  if (program === '') return;
  mkdirSync(join(folder, 'lib'), { recursive: true });
  copyFileSync(program, join(folder, name));
  chmodSync(join(folder, name), 0o755);
  for (const [, library] of output('ldd', [program]).matchAll(/=> (\/\S+)/g)) {
    if (!OF_THE_MACHINE.test(basename(library))) copyFileSync(library, join(folder, 'lib', basename(library)));
  }
  const script = `#!/bin/sh\nhere=$(dirname "$0")\nexec env LD_LIBRARY_PATH="$here/lib" "$here/${name}" "$@"\n`;
  writeFileSync(join(folder, `${name}.sh`), script, { mode: 0o755 });
}

/**
 * What a program writes; nothing if it fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
