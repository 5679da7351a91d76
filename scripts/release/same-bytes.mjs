import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mustRun, root, SetupError } from '../lib/run.mjs';

/**
 * Builds the working tree once more, from nothing, in a folder of another name and in another time zone, and fails unless that gives the bytes
 * that lie in dist/ and farm/dist/. The packages are those of this repository.
 */
export async function checkSameBytes() {
  const place = mkdtempSync(join(tmpdir(), 'pippin-second-build-'));
  try {
    const copy = join(place, 'at', 'another-depth');
    copyTree(copy);
    await mustRun(process.execPath, [join(copy, 'scripts', 'build.mjs')], { env: { TZ: 'Pacific/Kiritimati' } });
    const differences = ['dist', 'farm/dist'].flatMap((folder) =>
      differingFiles(join(root, folder), join(copy, folder)),
    );
    if (differences.length > 0) {
      throw new SetupError(`expected two builds to give the same bytes, got others in ${differences.join(', ')}`);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Copies what git keeps and what is new, without what it ignores. @param {string} copy */
function copyTree(copy) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of list.toString().split('\0')) {
    // Git lists what was deleted since the last commit, too.
    if (file === '' || file === 'node_modules' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
}

/**
 * The files of two folders that differ, or that only one of them has.
 *
 * @param {string} first
 * @param {string} second
 */
export function differingFiles(first, second) {
  const [ours, theirs] = [hashes(first), hashes(second)];
  const paths = new Set([...ours.keys(), ...theirs.keys()]);
  return [...paths].filter((path) => ours.get(path) !== theirs.get(path)).sort();
}

/** The SHA-256 of each file below a folder, by its path there. @param {string} folder */
function hashes(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}
