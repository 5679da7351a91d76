import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type * as Sdk from '../../sdk/index.js';
import { root } from '../support/root.js';
import { sharedBrowser } from '../support/shared-browser.js';

/** The built package in headless Chromium, on pages where something that it needs is refused: the error must say what. */

const SCRIPTS = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

let browser: Awaited<ReturnType<typeof sharedBrowser>>;
let site: string;
/** Another origin, which lets no page of another origin read its answers. */
let elsewhere: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'pippin-refused-'));
  await writeFile(join(site, 'index.html'), '<!doctype html><script src="./load.js"></script><title>A wallet</title>');
  // In a string, because Vitest replaces `import()` in code.
  await writeFile(join(site, 'load.js'), 'globalThis.load = (script) => import(script);');
  const { files } = JSON.parse(await readFile(join(root, 'dist', 'assets.json'), 'utf8'));
  for (const file of files) await cp(join(root, 'dist', file), join(site, 'pippin', file));
  await cp(join(root, 'examples', 'groth16-commitment', 'key', 'note.zkey'), join(site, 'note.zkey'));
  elsewhere = await serveFolder(site, {});
  browser = await sharedBrowser();
});
afterAll(async () => {
  await browser?.close();
  await elsewhere?.close();
  await rm(site, { recursive: true, force: true });
});

interface Visit {
  /** The Content-Security-Policy. */
  readonly policy: string;
  readonly options?: Sdk.ProverOptions;
  /** The key's URL; a point of BN254 is loaded in its place if it is `null`. */
  readonly zkey?: string | null;
  /** Runs in the page before its scripts. */
  readonly before?: () => void;
  /** The bytes that the page's origin may store. */
  readonly quota?: number;
}

interface Outcome {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
  readonly notices: readonly { readonly code: string; readonly message: string }[];
}

interface PageGlobals {
  load(script: string): Promise<typeof Sdk>;
}

/** Loads a key, or a point, on such a page. */
async function visit({ policy, options = {}, zkey = '/note.zkey', before, quota }: Visit): Promise<Outcome> {
  const server = await serveFolder(site, { headers: { 'Content-Security-Policy': policy } });
  const page = await browser.context.newPage();
  try {
    if (before !== undefined) await page.addInitScript(before);
    await page.goto(server.url);
    if (quota !== undefined) {
      const protocol = await browser.context.newCDPSession(page);
      await protocol.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize: quota });
    }
    return await page.evaluate(
      async ([given, key]) => {
        const { createProver, PippinError } = await (globalThis as unknown as PageGlobals).load('/pippin/index.js');
        const notices: { code: string; message: string }[] = [];
        const onNotice = ({ code, message }: Sdk.Notice): void => void notices.push({ code, message });
        try {
          const prover = await createProver({ threads: 1, backend: 'wasm', cache: false, ...given, onNotice });
          try {
            if (key !== null) await prover.groth16.loadKey(key);
            else await prover.loadBases({ curve: 'bn254', points: new Uint8Array(64) });
          } finally {
            await prover.dispose();
          }
          return { error: undefined, notices };
        } catch (error) {
          if (!(error instanceof PippinError)) throw error;
          const { code, message, hint = '' } = error;
          return { error: { code, message, hint }, notices };
        }
      },
      [options, zkey] as const,
    );
  } finally {
    await page.close();
    await server.close();
  }
}

const allowing = (sources: string): string => `${SCRIPTS}; connect-src ${sources}`;
const withoutWasm = allowing("'self'").replace(" 'wasm-unsafe-eval'", '');

type Case = readonly [what: string, visit: () => Visit, code: string, message: string, hint: string];
const CASES: readonly Case[] = [
  [
    'WebAssembly',
    () => ({ policy: withoutWasm }),
    'UNSUPPORTED_ENVIRONMENT',
    'expected permission to compile WebAssembly, got: ',
    "'wasm-unsafe-eval' in script-src",
  ],
  [
    'WebAssembly, without workers',
    () => ({ policy: withoutWasm, options: { threads: 0 } }),
    'UNSUPPORTED_ENVIRONMENT',
    'expected permission to compile WebAssembly, got: ',
    "'wasm-unsafe-eval' in script-src",
  ],
  [
    'workers',
    () => ({ policy: allowing("'self'").replace("worker-src 'self'", "worker-src 'none'") }),
    'WORKER_FAILED',
    '/pippin/coordinator.js to start, got: its script could not be loaded',
    'allowed by the Content-Security-Policy (worker-src, script-src)',
  ],
  [
    'workers, where there are none',
    () => ({ policy: allowing("'self'"), before: () => void Reflect.deleteProperty(globalThis, 'Worker') }),
    'UNSUPPORTED_ENVIRONMENT',
    'expected an environment that starts workers',
    'createProver({ threads: 0 })',
  ],
  [
    'the network by its policy',
    () => ({ policy: allowing("'self'"), zkey: `${elsewhere.url}note.zkey` }),
    'IO_FAILED',
    '/note.zkey, got: TypeError',
    'content security policy (connect-src)',
  ],
  [
    "the network by the other origin's server",
    () => ({ policy: allowing('*'), zkey: `${elsewhere.url}note.zkey` }),
    'IO_FAILED',
    '/note.zkey, got: TypeError',
    'allow this origin (CORS)',
  ],
  [
    'the network for its own WASM',
    () => ({ policy: allowing("'none'"), zkey: null }),
    'IO_FAILED',
    'expected the WASM at http',
    'content security policy (connect-src)',
  ],
];

describe('a page that is refused', () => {
  test.each(CASES)('%s', async (_, visited, code, message, hint) => {
    const { error } = await visit(visited());
    expect(error).toMatchObject({ code });
    expect(error?.message).toContain(message);
    expect(error?.hint).toContain(hint);
  });

  test('room to store the key is told so, and loads it', async () => {
    const { error, notices } = await visit({
      policy: allowing("'self'"),
      quota: 100_000,
      options: { cache: true },
    });
    expect(error).toBeUndefined();
    expect(notices).toEqual([
      { code: 'CACHE_UNAVAILABLE', message: expect.stringMatching(/^the cache failed \(the storage is full: /) },
    ]);
  });
});
