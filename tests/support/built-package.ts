import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { root } from './root.js';

/** Where the test server has the built package. */
export const BUILT_PACKAGE = '/built/';

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves the built package as any server does: not rewritten, as Vite rewrites scripts for tests in a browser. */
export const builtPackage: Plugin = {
  name: 'built-package',
  configureServer({ middlewares }) {
    middlewares.use(BUILT_PACKAGE, (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const file = join(root, 'dist', pathname);
      const type = TYPES[extname(file)];
      if (type === undefined || !existsSync(file)) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    });
  },
};
