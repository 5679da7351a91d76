import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { differingFiles } from '../../../scripts/release/same-bytes.mjs';

it('finds the files of two builds that differ, and those that one of them lacks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pippin-same-bytes-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  for (const build of [first, second]) {
    await mkdir(join(build, 'types'), { recursive: true });
    for (const file of ['same.js', 'other.js', 'types/same.d.ts']) await writeFile(join(build, file), file);
  }
  expect(differingFiles(first, second)).toEqual([]);
  await writeFile(join(second, 'other.js'), 'other,js');
  await writeFile(join(first, 'types', 'first.d.ts'), '');
  await writeFile(join(second, 'second.js'), '');
  expect(differingFiles(first, second)).toEqual(['other.js', 'second.js', join('types', 'first.d.ts')]);
  await rm(folder, { recursive: true });
});
