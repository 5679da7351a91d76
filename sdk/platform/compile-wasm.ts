import { PippinError } from '../errors.js';

/** The shortest module: magic number and version, nothing in it. */
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Characters of a wrong file that a message quotes. */
const QUOTED = 40;

/** `UNSUPPORTED_ENVIRONMENT` where there is no WebAssembly at all. */
export function expectWebAssembly(): void {
  if (typeof WebAssembly !== 'undefined') return;
  throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected an environment with WebAssembly, got one without it', {
    hint: "on iPhone and iPad, Lockdown Mode turns it off; the site's settings can turn it on again",
  });
}

/**
 * Compiles the bytes that came from `url`. `IO_FAILED` when they are no WASM, such as the HTML page that many servers answer a missing
 * file with; `UNSUPPORTED_ENVIRONMENT` when nothing may be compiled here.
 */
export function compileBytes(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  if (EMPTY_MODULE.subarray(0, 4).some((byte, i) => byte !== bytes[i])) throw notWasm(url, bytes);
  return compileFrom(url, () => WebAssembly.compile(bytes));
}

/** Runs `compile` on what came from `url`, and says what was wrong when it fails. Errors as of `compileBytes`. */
export async function compileFrom(
  url: string,
  compile: () => Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
  try {
    return await compile();
  } catch (error) {
    await expectCompilePermission();
    const reason = error instanceof Error ? error.message : String(error);
    throw new PippinError('IO_FAILED', `expected WASM at ${url}, got what does not compile: ${reason}`, {
      cause: error,
      hint: 'the file may be cut short or altered: compare it with the one in the package',
    });
  }
}

/** Browsers word the refusal of a Content-Security-Policy differently; that they refuse an empty module as well tells it from other failures. */
async function expectCompilePermission(): Promise<void> {
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
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
