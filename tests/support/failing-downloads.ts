import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import type * as Encodings from '../../sdk/encodings-node.js';
import { root } from './root.js';
import { sectionFile, sectionsOf } from './section-bytes.js';

/** Bytes after which an answer with the whole file stalls: two chunks of the cache and a half. */
const STALLS_AFTER = 10 * 2 ** 20;
/** The same where the connection breaks: in the middle of the packed points. */
const BREAKS_AFTER = 600_000;
/** Milliseconds that the page has to read them: what it has not read of an answer is lost when the connection breaks. */
const BREAKS_AFTER_MS = 2000;

const KEY = join(root, 'examples/groth16-commitment/key');

/**
 * Keys for tests in a browser, whose server fails when it is asked for all of one, and sends the rest if asked for:
 *
 * - `/stalling.zkey` and `/stalling.pzkey`, the example's key with a history of 24 MiB, and the same packed: stall;
 * - `/breaking.pzkey`, the example's packed key: the connection breaks. `/breaking.pzkey/ranges` tells which ranges were
 *   asked for since it was asked itself.
 */
export const failingDownloads: Plugin = {
  name: 'failing-downloads',
  configureServer({ middlewares }) {
    const stall = (response: ServerResponse, file: Uint8Array): void =>
      void response.write(file.subarray(0, STALLS_AFTER));
    middlewares.use('/stalling.zkey', answersWith(once(keyWithHistory), stall));
    middlewares.use('/stalling.pzkey', answersWith(once(packedKeyWithHistory), stall));
    let ranges: string[] = [];
    middlewares.use('/breaking.pzkey/ranges', (_: IncomingMessage, response: ServerResponse) => {
      response.end(JSON.stringify(ranges));
      ranges = [];
    });
    const breakOff = (response: ServerResponse, file: Uint8Array): void =>
      void response.write(file.subarray(0, BREAKS_AFTER), () => setTimeout(() => response.destroy(), BREAKS_AFTER_MS));
    const file = once(async () => new Uint8Array(readFileSync(join(KEY, 'note.pzkey'))));
    middlewares.use(
      '/breaking.pzkey',
      answersWith(file, breakOff, (range) => ranges.push(range)),
    );
  },
};

/** Answers with a file, or with the range that is asked for; `fail` begins the answer with the whole file. */
function answersWith(
  fileOf: () => Promise<Uint8Array>,
  fail: (response: ServerResponse, file: Uint8Array) => void,
  onRange: (range: string) => void = () => undefined,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const file = await fileOf();
    const { range: asked } = request.headers;
    if (asked !== undefined) onRange(asked);
    const [first = 0, last = file.length - 1] = (asked?.match(/\d+/g) ?? []).map(Number);
    const body = file.subarray(first, last + 1);
    const headers = { etag: '"one"', 'accept-ranges': 'bytes', 'content-length': String(body.length) };
    const range = { 'content-range': `bytes ${first}-${last}/${file.length}` };
    if (asked !== undefined) response.writeHead(206, { ...headers, ...range }).end(body);
    else if (request.method === 'HEAD') response.writeHead(200, headers).end();
    else fail(response.writeHead(200, headers), file);
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function keyWithHistory(): Promise<Uint8Array> {
  const zkey = readFileSync(join(KEY, 'note.zkey'));
  const sections = sectionsOf(new Uint8Array(zkey)).filter(([id]) => id !== 10);
  return sectionFile('zkey', 1, [[10, new Uint8Array(24 * 2 ** 20).fill(7)], ...sections]);
}

async function packedKeyWithHistory(): Promise<Uint8Array> {
  const { packKey } = (await import(pathToFileURL(join(root, 'dist/encodings-node.js')).href)) as typeof Encodings;
  const { pzkey } = await packKey(await keyWithHistory());
  return new Uint8Array(await pzkey.arrayBuffer());
}
