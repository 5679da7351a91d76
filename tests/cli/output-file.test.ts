import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectWritable, MODE, writeOutput } from '../../sdk/cli/output-file.js';

/** A context in which nobody interrupts. */
const calm = { signal: new AbortController().signal };

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('writeOutput', () => {
  it('makes and replaces files, and leaves no temporary ones', async () => {
    await writeOutput(at('a'), 'first, and longer', calm);
    await writeOutput(at('a'), new Uint8Array([65]), calm);
    await writeOutput(at('empty'), '', calm);
    expect(await readFile(at('a'), 'utf8')).toBe('A');
    expect((await readdir(folder)).toSorted()).toEqual(['a', 'empty']);
  });

  it.runIf(process.platform !== 'win32')(
    'keeps the mode of a file, and makes secret ones for the user alone',
    async () => {
      await writeOutput(at('secret'), 'x', calm, MODE.secret);
      expect((await stat(at('secret'))).mode & 0o777).toBe(0o600);
      await writeFile(at('a'), 'x');
      await chmod(at('a'), 0o640);
      await writeOutput(at('a'), 'y', calm, MODE.secret);
      expect((await stat(at('a'))).mode & 0o777).toBe(0o640);
    },
  );

  it.runIf(process.platform !== 'win32')('writes through links and to what is no file', async () => {
    await writeFile(at('target'), 'x');
    await symlink(at('target'), at('link'));
    await writeOutput(at('link'), 'y', calm);
    expect(await readlink(at('link'))).toBe(at('target'));
    expect(await readFile(at('target'), 'utf8')).toBe('y');
    await writeOutput('/dev/null', 'y', calm);
    expect((await stat('/dev/null')).isFile()).toBe(false);
  });

  it('leaves the old file and nothing else when it fails', async () => {
    await mkdir(at('folder'));
    await expect(writeOutput(at('folder'), 'x', calm)).rejects.toMatchObject({ code: 'IO_FAILED' });
    expect(await readdir(folder)).toEqual(['folder']);
  });
});

describe('expectWritable', () => {
  it('takes what can be written', async () => {
    await writeFile(at('a'), 'x');
    await expect(expectWritable([undefined, '-', at('a'), at('b')])).resolves.toBeUndefined();
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('refuses a folder, a missing folder, and a URL', async () => {
    await expect(expectWritable([folder])).rejects.toMatchObject({ code: 'IO_FAILED' });
    await expect(expectWritable([at('none/a')])).rejects.toMatchObject({
      code: 'IO_FAILED',
      hint: `make the folder first: mkdir -p ${at('none')}`,
    });
    await expect(expectWritable(['https://example.org/a'])).rejects.toMatchObject({ code: 'IO_FAILED' });
  });
});
