import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { root } from './root.js';
import { sectionFile, sectionsOf } from './section-bytes.js';

/** Where the test server has the example's key with a history of 24 MiB in front. */
export const STALLING_KEY = '/stalling.zkey';

/** Bytes after which an answer with the whole file stalls: two chunks of the cache and a half. */
const STALLS_AFTER = 10 * 2 ** 20;

/** A key for tests in a browser: a server that stalls when it is asked for all of it, and sends the rest if asked for. */
export const stallingKey: Plugin = {
  name: 'stalling-key',
  configureServer({ middlewares }) {
    let file: Uint8Array | undefined;
    middlewares.use(STALLING_KEY, (request: IncomingMessage, response: ServerResponse) => {
      file ??= keyWithHistory();
      const [first = 0, last = file.length - 1] = (request.headers.range?.match(/\d+/g) ?? []).map(Number);
      const body = file.subarray(first, last + 1);
      const headers = { etag: '"one"', 'accept-ranges': 'bytes', 'content-length': String(body.length) };
      const range = { 'content-range': `bytes ${first}-${last}/${file.length}` };
      if (request.headers.range !== undefined) response.writeHead(206, { ...headers, ...range }).end(body);
      else if (request.method === 'HEAD') response.writeHead(200, headers).end();
      else response.writeHead(200, headers).write(body.subarray(0, STALLS_AFTER));
    });
  },
};

function keyWithHistory(): Uint8Array {
  const zkey = readFileSync(join(root, 'examples/groth16-commitment/key/note.zkey'));
  const sections = sectionsOf(new Uint8Array(zkey)).filter(([id]) => id !== 10);
  return sectionFile('zkey', 1, [[10, new Uint8Array(24 * 2 ** 20).fill(7)], ...sections]);
}
