import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256Sums } from '../../../scripts/release/artifacts.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-artifacts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lists the files of a folder by name, and not those of folders in it', async () => {
  await writeFile(join(folder, 'b.tgz'), 'abc');
  await writeFile(join(folder, 'a.tgz'), '');
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'index.html'), 'x');
  // Of no bytes, and the first example of FIPS 180-4.
  expect(sha256Sums(folder)).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.tgz\n' +
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.tgz\n',
  );
});

it.runIf(process.platform === 'linux')('is what sha256sum checks', async () => {
  await writeFile(join(folder, 'a.tgz'), 'abc');
  await writeFile(join(folder, 'SHA256SUMS'), sha256Sums(folder));
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe('a.tgz: OK\n');
});

it('is empty for an empty folder', () => {
  expect(sha256Sums(folder)).toBe('');
});
