import { messageOf, PippinError } from '../../base/errors.js';

/** The shortest module: magic number and version, and nothing else. */
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** How many characters of a wrong file a message quotes. */
const QUOTED = 40;

/** `UNSUPPORTED_ENVIRONMENT` where there is no WebAssembly at all. */
export function expectWebAssembly(): void {
  if (typeof WebAssembly !== 'undefined') return;
  throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected an environment with WebAssembly, got one without it', {
    hint: "on iPhone and iPad, Lockdown Mode turns it off; the site's settings can turn it on again",
  });
}

/**
 * Compiles the bytes that came from `url`. `IO_FAILED` when they are not WASM, such as the HTML page that many servers
 * send for a missing file; `UNSUPPORTED_ENVIRONMENT` when nothing may be compiled here.
 */
export function compileBytes(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  if (EMPTY_MODULE.subarray(0, 4).some((byte, i) => byte !== bytes[i])) throw notWasm(url, bytes);
  return compileFrom(url, () => WebAssembly.compile(bytes));
}

/** Runs `compile`, which compiles what came from `url`. Fails with the errors of `compileBytes`. */
export async function compileFrom(
  url: string,
  compile: () => Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
  try {
    return await compile();
  } catch (error) {
    await expectCompilePermission();
    const reason = messageOf(error);
    throw new PippinError('IO_FAILED', `expected WASM at ${url}, got what does not compile: ${reason}`, {
      cause: error,
      hint: 'the file may be cut short or altered: compare it with the one in the package',
    });
  }
}

/**
 * Checks that this environment may compile WASM. Browsers report a refusal by the Content-Security-Policy in different
 * words, so it is recognised by the fact that even an empty module is refused.
 */
async function expectCompilePermission(): Promise<void> {
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch (error) {
    const reason = messageOf(error);
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', `expected permission to compile WebAssembly, got: ${reason}`, {
      cause: error,
      hint:
        "a Content-Security-Policy must have 'wasm-unsafe-eval' in script-src, for the page and for the workers' scripts; in an " +
        'extension it stands in the manifest, under content_security_policy.extension_pages',
    });
  }
}

function notWasm(url: string, bytes: Uint8Array): PippinError {
  const start = JSON.stringify(new TextDecoder().decode(bytes.subarray(0, QUOTED)));
  const got = bytes.length === 0 ? 'no bytes' : `${bytes.length} bytes that begin with ${start}`;
  return new PippinError('IO_FAILED', `expected WASM at ${url}, got ${got}`, {
    hint:
      'check that the file is there: many servers answer a missing file with an HTML page. ProverOptions.assets.wasm takes the ' +
      'URLs of the files',
  });
}
