import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOutputs, type NamedFiles } from '../../sdk/cli/expect-outputs.js';
import { MODE, writeOutput } from '../../sdk/cli/output-file.js';

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

describe.runIf(process.platform !== 'win32')('a link to a file that does not exist', () => {
  it('stays, and the file is made', async () => {
    await mkdir(at('folder'));
    await symlink('folder/new', at('link'));
    // Behind a link to a folder, `..` is the folder above that one.
    await mkdir(at('folder/deep'));
    await symlink(at('folder/deep'), at('deep'));
    await symlink('../other', at('folder/deep/link'));
    for (const [link, file] of [
      ['link', 'folder/new'],
      ['deep/link', 'folder/other'],
    ] as const) {
      await expectOutputs({ out: at(link) }, {});
      await writeOutput(at(link), link, calm);
      expect((await lstat(at(link))).isSymbolicLink()).toBe(true);
      expect(await readFile(at(file), 'utf8')).toBe(link);
    }
  });

  it('is refused where its folder is missing, or it leads to itself', async () => {
    await symlink(at('none/new'), at('link'));
    await symlink('round', at('round'));
    await expect(expectOutputs({ out: at('link') }, {})).rejects.toMatchObject({
      code: 'IO_FAILED',
      hint: `make the folder first: mkdir -p ${at('none')}`,
    });
    await expect(expectOutputs({ out: at('round') }, {})).rejects.toMatchObject({ code: 'IO_FAILED' });
  });
});

describe('expectOutputs', () => {
  it('takes what can be written', async () => {
    await writeFile(at('a'), 'x');
    await expectOutputs({ one: undefined, two: '-', three: '-', four: at('a'), five: at('b') }, {});
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('refuses a folder, a missing folder, and a URL', async () => {
    const refuses = (out: string, error: object = {}) =>
      expect(expectOutputs({ out }, {})).rejects.toMatchObject({ code: 'IO_FAILED', ...error });
    await refuses(folder);
    await refuses(`${at('none')}/`);
    await refuses(at('none/a'), { hint: `make the folder first: mkdir -p ${at('none')}` });
    await refuses('https://example.org/a');
  });

  const refusesSame = (outputs: NamedFiles, inputs: NamedFiles = {}) =>
    expect(expectOutputs(outputs, inputs)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^expected different files for --proof and --public, got /),
      hint: '--public would overwrite what --proof names',
    });

  it('refuses one file for two outputs, however it is spelled', async () => {
    await refusesSame({ proof: at('new'), public: at('new') });
    await refusesSame({ proof: at('new'), public: relative(process.cwd(), at('new')) });
    await writeFile(at('a'), 'x');
    await refusesSame({ proof: at('a'), public: `${folder}/./a` });
    await link(at('a'), at('b'));
    await refusesSame({ proof: at('a'), public: at('b') });
  });

  it.runIf(process.platform !== 'win32')('refuses one file for two outputs through links', async () => {
    await symlink(folder, at('folder'));
    await symlink('new', at('link'));
    await refusesSame({ proof: at('new'), public: at('folder/new') });
    await refusesSame({ proof: at('link'), public: at('folder/folder/new') });
    // Nothing is lost in these.
    await expectOutputs({ proof: '/dev/null', public: '/dev/null' }, {});
  });

  it('refuses an output that is an input', async () => {
    await writeFile(at('a'), 'x');
    await refusesSame(
      { public: at('a') },
      { vkey: '-', url: 'https://example.org/a', none: at('none'), proof: at('a') },
    );
    await expectOutputs({ public: at('new') }, { proof: at('a'), bytes: undefined });
  });
});
