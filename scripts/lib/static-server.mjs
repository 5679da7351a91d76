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
 * @param {{ isolated?: boolean, headers?: Record<string, string>, port?: number, instead?: (path: string) =>
 * Promise<string | undefined> }} [options] `isolated` sends the headers of cross-origin isolation, `headers` are sent
 * with every file; port 0, the default, takes a free one; `instead` is given the path of an address, and names a file
 * that is sent instead of the folder's, or undefined
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveFolder(folder, { isolated = false, headers = {}, port = 0, instead } = {}) {
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
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file.path)] ?? 'application/octet-stream',
      'Content-Length': file.size,
    });
    if (request.method === 'HEAD') response.end();
    else {
      const stream = createReadStream(file.path);
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
    return stat?.isFile() ? { path: file, size: stat.size } : undefined;
  } catch {
    // An address that no file can have, such as one with a broken escape or a zero byte.
    return undefined;
  }
}
