import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveFolder } from '../lib/static-server.mjs';

/**
 * Serves a folder, and lets a test keep a file waiting, lose it or exchange it, so that a page stays in a state as long as one looks at it.
 *
 * @param {string} folder
 * @param {(path: string) => Promise<string | undefined>} [beside] names files that are served beside those of the folder
 */
export async function serveHeld(folder, beside) {
  const own = await mkdtemp(join(tmpdir(), 'pippin-held-'));
  /** What is done about addresses that match. @type {Map<RegExp, () => Promise<string | undefined>>} */
  const rules = new Map();
  const { url, close } = await serveFolder(folder, {
    instead: async (path) => {
      const rule = [...rules].find(([pattern]) => pattern.test(path))?.[1];
      return (await rule?.()) ?? beside?.(path);
    },
  });
  return {
    url,
    /** Keeps files waiting until `release` is called. `asked` is kept when the first of them is asked for. @param {RegExp} pattern */
    hold(pattern) {
      const asked = promiseToKeep();
      const opened = promiseToKeep();
      rules.set(pattern, async () => {
        asked.keep();
        await opened.promise;
        return undefined;
      });
      const release = () => {
        opened.keep();
        rules.delete(pattern);
      };
      return { asked: asked.promise, release };
    },
    /** Sends a text instead of files, or without one says that there is no such file, until `restore` is called. @param {RegExp} pattern @param {string} [text] */
    async replace(pattern, text) {
      const file = join(own, `${rules.size}.html`);
      if (text !== undefined) await writeFile(file, text);
      rules.set(pattern, async () => file);
      return { restore: () => rules.delete(pattern) };
    },
    async close() {
      await close();
      await rm(own, { recursive: true, force: true });
    },
  };
}

function promiseToKeep() {
  /** @type {() => void} */
  let keep = () => {};
  const promise = new Promise((resolve) => {
    keep = () => resolve(undefined);
  });
  return { promise, keep };
}
