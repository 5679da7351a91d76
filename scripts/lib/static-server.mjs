import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

/**
 * Content types by file ending. Browsers run scripts, and compile WASM during its download, only if the type is right.
 */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Serves a folder on this machine alone.
 *
 * @param {string} folder
 * @param {{ isolated?: boolean, versioned?: boolean, headers?: Record<string, string>, port?: number, instead?: (path:
 * string) => Promise<string | undefined> }} [options] `isolated` sends the headers of cross-origin isolation;
 * `versioned` sends ETags, and answers requests for ranges and for another version, as hosts of files do; `headers` are
 * sent with every file; port 0, the default, takes a free one; `instead` is given the path of an address, and names a
 * file that is sent instead of the folder's, or undefined
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveFolder(
  folder,
  { isolated = false, versioned = false, headers = {}, port = 0, instead } = {},
) {
  const server = createServer(async (request, response) => {
    const file = await fileFor(folder, request.url ?? '/', instead);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    response.setHeader('Cache-Control', 'no-cache');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(file === undefined ? 404 : 405, { 'Content-Type': 'text/plain' }).end();
      return;
    }
    const { status, start, end } = versioned
      ? asked(request, response, file)
      : { status: 200, start: 0, end: file.size };
    response.writeHead(status, {
      'Content-Type': TYPES[extname(file.path)] ?? 'application/octet-stream',
      ...(status === 304 ? {} : { 'Content-Length': end - start }),
    });
    if (request.method === 'HEAD' || start === end) response.end();
    else {
      const stream = createReadStream(file.path, { start, end: end - 1 });
      stream.on('error', () => response.destroy());
      stream.pipe(response);
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://localhost:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * What is sent of a file: nothing of the version that the browser has, and a range where it asks for one.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {{ size: number, changed: number }} file
 */
function asked(request, response, { size, changed }) {
  const tag = `"${size.toString(36)}-${changed.toString(36)}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === tag) return { status: 304, start: 0, end: 0 };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Math.min(Number(last) + 1, size)];
  if (!(start < end)) return { status: 200, start: 0, end: size };
  response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  return { status: 206, start, end };
}

/**
 * The file that a request means, or undefined where there is none. Paths are read from the root of the served folder,
 * so none leads out of it.
 *
 * @param {string} folder
 * @param {string} requested
 * @param {((path: string) => Promise<string | undefined>) | undefined} instead
 */
async function fileFor(folder, requested, instead) {
  try {
    const path = decodeURIComponent(new URL(requested, 'http://localhost').pathname);
    const other = await instead?.(path);
    const file = other ?? join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() ? { path: file, size: stat.size, changed: stat.mtimeMs } : undefined;
  } catch {
    // An address that no file can have, such as one with a broken escape or a zero byte.
    return undefined;
  }
}
