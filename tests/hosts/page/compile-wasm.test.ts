import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nodeEnginePlatform } from '../../../sdk/hosts/node/node-engine.js';
import { browserEnginePlatform } from '../../../sdk/hosts/page/browser-engine.js';

const EMPTY = [0, 97, 115, 109, 1, 0, 0, 0];
const URL_OF_WASM = 'https://wallet.example/bn254.wasm';
const assets = { wasm: { bn254: URL_OF_WASM, 'bn254-fma': URL_OF_WASM } };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The next download answers with these bytes. */
function answer(bytes: Uint8Array<ArrayBuffer> | string, type: string): void {
  vi.stubGlobal('fetch', async () => new Response(bytes, { headers: { 'content-type': type } }));
}

const compile = (): Promise<WebAssembly.Module> => browserEnginePlatform.compileWasm('bn254', 'points', assets);

describe('the WASM in a page', () => {
  it.each(['application/wasm', 'application/octet-stream'])('is compiled when it comes as %s', async (type) => {
    answer(new Uint8Array(EMPTY), type);
    expect(await compile()).toBeInstanceOf(WebAssembly.Module);
  });

  it('that is an HTML page is named as such', async () => {
    answer('<!doctype html><title>Wallet</title>', 'text/html');
    await expect(compile()).rejects.toMatchObject({
      code: 'IO_FAILED',
      message: `expected WASM at ${URL_OF_WASM}, got 36 bytes that begin with "<!doctype html><title>Wallet</title>"`,
      hint: expect.stringContaining('HTML page'),
    });
  });

  it.each(['application/wasm', 'application/octet-stream'])('that is cut short is named as such (%s)', async (type) => {
    answer(new Uint8Array([...EMPTY, 1, 7]), type);
    await expect(compile()).rejects.toMatchObject({
      code: 'IO_FAILED',
      message: expect.stringContaining(`expected WASM at ${URL_OF_WASM}, got what does not compile`),
    });
  });

  it('that is empty is named as such', async () => {
    answer('', 'text/plain');
    await expect(compile()).rejects.toMatchObject({ code: 'IO_FAILED', message: expect.stringContaining('no bytes') });
  });

  it('whose server does not answer, answers something else or breaks off is named with what to look at', async () => {
    const refused = async (fetched: () => Promise<Response>) => {
      vi.stubGlobal('fetch', fetched);
      return compile().then(
        () => expect.fail('it was compiled'),
        ({ code, message, hint }) => ({ code, message, hint }),
      );
    };
    const code = 'IO_FAILED';
    const hint = expect.stringContaining('does it allow this origin (CORS)');
    expect(await refused(() => Promise.reject(new TypeError('Failed to fetch')))).toEqual({
      code,
      message: `expected the WASM at ${URL_OF_WASM}, got no answer`,
      hint,
    });
    const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
    expect(await refused(async () => new Response(broken))).toEqual({
      code,
      message: `expected the WASM at ${URL_OF_WASM}, got a download that broke off`,
      hint: 'the answer began and broke off: try again',
    });
    expect(await refused(async () => new Response('', { status: 404 }))).toEqual({
      code,
      message: `expected the WASM at ${URL_OF_WASM}, got status 404`,
      hint: expect.stringContaining('ProverOptions.assets.wasm'),
    });
  });

  it('that no Content-Security-Policy allows names the directive, and the probe for fused lanes does not fail first', async () => {
    const refuse = () => new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
    vi.spyOn(WebAssembly, 'compile').mockImplementation(() => Promise.reject(refuse()));
    vi.spyOn(WebAssembly, 'Module').mockImplementation(function refused() {
      throw refuse();
    });
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(true);
    vi.resetModules();
    const { browserEnginePlatform: fresh } = await import('../../../sdk/hosts/page/browser-engine.js');
    answer(new Uint8Array(EMPTY), 'application/octet-stream');
    await expect(fresh.compileWasm('bn254', 'points', assets)).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
      message: 'expected permission to compile WebAssembly, got: Wasm code generation disallowed by embedder',
      hint: expect.stringContaining('wasm-unsafe-eval'),
    });
  });

  it('cannot be compiled where there is no WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    await expect(compile()).rejects.toMatchObject({ code: 'UNSUPPORTED_ENVIRONMENT' });
  });
});

describe('the WASM in Node', () => {
  it('that is missing, or is something else, is named with its URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pippin-'));
    try {
      const missing = pathToFileURL(join(folder, 'missing.wasm')).href;
      const other = pathToFileURL(join(folder, 'other.wasm')).href;
      await writeFile(join(folder, 'other.wasm'), 'no WASM');
      for (const url of [missing, other]) {
        const given = { wasm: { bn254: url, 'bn254-fma': url } };
        await expect(nodeEnginePlatform.compileWasm('bn254', 'points', given)).rejects.toMatchObject({
          code: 'IO_FAILED',
          message: expect.stringContaining(url),
        });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
