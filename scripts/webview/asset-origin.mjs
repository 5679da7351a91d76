import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { extname, join, normalize } from 'node:path';
import { selfSigned } from './self-signed.mjs';

/** The origin under which WebViewAssetLoader gives an app's assets to its pages. */
export const ASSET_ORIGIN = 'https://appassets.androidplatform.net';
/** Where the example's page lies there. */
export const ASSET_PATH = '/assets/www/';

/** The content types that AssetsPathHandler gives, too; what it does not know, such as a key, is plain text. */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The bytes of a key that come before it is held. */
const FIRST_BYTES = 2 ** 16;

/** A page that frames the example's. */
const FRAMING = '<!doctype html><title>A page around it</title><iframe src="index.html"></iframe>';

/**
 * Answers for the app's asset origin as the app does: from the folder of the built page, without ranges, validators or compression. A browser
 * that is started with `flags` takes this for the origin, in pages and in all workers.
 *
 * @param {string} folder
 */
export async function interceptAssetOrigin(folder) {
  /** Holds back keys until `until`; `asked` is called when one is requested. @type {{ until: Promise<unknown>, asked: () => void } | undefined} */
  let held;
  /** @type {Promise<unknown>} */
  let keyAsked = Promise.resolve();
  const server = createServer(selfSigned(), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', ASSET_ORIGIN);
    if (pathname === `${ASSET_PATH}frame.html`) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(FRAMING);
      return;
    }
    const file = pathname.startsWith(ASSET_PATH)
      ? join(folder, normalize(`/${pathname.slice(ASSET_PATH.length)}`))
      : '';
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' });
    if (held === undefined || extname(file) !== '.pzkey') {
      createReadStream(file).pipe(response);
      return;
    }
    const { until, asked } = held;
    createReadStream(file, { end: FIRST_BYTES - 1 }).pipe(response, { end: false });
    asked();
    void until.then(() => createReadStream(file, { start: FIRST_BYTES }).pipe(response));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const { host } = new URL(ASSET_ORIGIN);
  return {
    /** Answers requests for keys with their first bytes only, until the function that is given is called. */
    holdKeys() {
      /** @type {() => void} */
      let arrive = () => undefined;
      const until = new Promise((resolve) => {
        arrive = () => resolve(undefined);
      });
      keyAsked = new Promise((resolve) => {
        held = { until, asked: () => resolve(undefined) };
      });
      return () => {
        held = undefined;
        arrive();
      };
    },
    /** Waits until a key that is held was asked for. */
    keyAsked: () => keyAsked,
    flags: [`--host-resolver-rules=MAP ${host}:443 127.0.0.1:${address.port}`, '--ignore-certificate-errors'],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
