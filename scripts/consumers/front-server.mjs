import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** In an application's page: where a CDN serves Pippin. */
const CDN = 'https://cdn.example/';

/** @param {string | undefined} cdn its URL; a page that takes Pippin from there needs what docs/cdn.md says. */
function policyWith(cdn) {
  const origin = cdn === undefined ? '' : ` ${new URL(cdn).origin}`;
  const workers = cdn === undefined ? '' : ` blob:${origin}`;
  return `default-src 'none'; worker-src 'self'${workers}; connect-src 'self'${origin}; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'${origin}`;
}

/**
 * Serves a folder, or what another server on this machine serves, under the strict content security policy, and the
 * key's folder at `/key/`. A script that stands in the page itself, such as an import map, is let through by its hash.
 *
 * @param {{ folder: string } | { port: number }} source
 * @param {string} keyFolder
 * @param {string} [cdn] the URL at which another server serves Pippin
 */
export async function serveStrictly(source, keyFolder, cdn) {
  /** The size of each file that was sent, compressed, by its address. */
  const sizes = new Map();
  const server = createServer(async (incoming, response) => {
    const path = decodeURIComponent(new URL(incoming.url ?? '/', 'http://localhost').pathname);
    const ofKey = path.startsWith('/key/');
    const answer = ofKey
      ? readAnswer(keyFolder, path.slice('/key'.length))
      : 'folder' in source
        ? readAnswer(source.folder, path)
        : await forward(source.port, incoming);
    if (cdn !== undefined && answer.headers['content-type']?.startsWith('text/html')) {
      answer.body = Buffer.from(answer.body.toString('utf8').replaceAll(CDN, cdn));
    }
    if (!ofKey) sizes.set(incoming.url, gzipSync(answer.body).length);
    response.writeHead(answer.status, {
      ...answer.headers,
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': [policyWith(cdn), ...inlineHashes(answer)].join(' '),
    });
    response.end(answer.body);
  });
  // The connection by which a development server tells its page of changes.
  server.on('upgrade', (incoming, socket, head) => {
    if (!('port' in source)) return socket.destroy();
    const other = connect(source.port, '127.0.0.1', () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}`);
      other.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      other.write(head);
      other.pipe(socket).pipe(other);
    });
    other.on('error', () => socket.destroy());
    socket.on('error', () => other.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${port}/`,
    /** The bytes that the page has downloaded so far, compressed by gzip, the key's files left out. */
    downloaded: () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Answer */

/**
 * @param {string} folder
 * @param {string} path
 * @returns {Answer}
 */
function readAnswer(folder, path) {
  const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('no such file') };
  }
  return {
    status: 200,
    headers: { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' },
    body: readFileSync(file),
  };
}

/**
 * @param {number} port
 * @param {import('node:http').IncomingMessage} incoming
 * @returns {Promise<Answer>}
 */
function forward(port, { method, url, headers }) {
  return new Promise((resolve) => {
    const failed = (/** @type {Error} */ error) =>
      resolve({ status: 502, headers: { 'content-type': 'text/plain' }, body: Buffer.from(error.message) });
    // As it is, so that it can be measured and looked at.
    const { 'if-none-match': _, ...kept } = headers;
    const wanted = { ...kept, 'accept-encoding': 'identity' };
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers: wanted }, (answer) => {
      const parts = /** @type {Buffer[]} */ ([]);
      answer.on('data', (part) => parts.push(part));
      answer.on('error', failed);
      answer.on('end', () => {
        const { connection, 'transfer-encoding': encoding, 'content-length': length, ...rest } = answer.headers;
        resolve({ status: answer.statusCode ?? 502, headers: rest, body: Buffer.concat(parts) });
      });
    });
    outgoing.on('error', failed);
    outgoing.end();
  });
}

/** The sources that the policy needs for scripts in the page itself. @param {Answer} answer */
function inlineHashes({ headers, body }) {
  if (!headers['content-type']?.startsWith('text/html')) return [];
  const scripts = [...body.toString('utf8').matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
