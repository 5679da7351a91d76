import { messageOf, PippinError, type PippinErrorCode } from './errors.js';

const HINT = 'create another prover; if that fails too, load the page again: the site may have a newer version';

/**
 * A part of the code that is loaded on first use. An error of this code if its script cannot be loaded. The next call
 * retries, but browsers older than 2026 (Chromium 156, Firefox 154) keep a failed import for as long as the thread
 * lives (whatwg/html#10327).
 *
 * @param what the part, for the message.
 */
export async function loadPart<Part>(
  what: string,
  load: () => Promise<Part>,
  code: PippinErrorCode = 'IO_FAILED',
): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new PippinError(code, `expected the code for ${what}, could not load it: ${messageOf(error)}`, {
      cause: error,
      hint: HINT,
    });
  }
}

/**
 * The same for a module that several threads share and only some use. Call it at the top level of that module, so that
 * no bundler removes the import for a thread that does not use it: Vite 8 bundles a worker into one file, and fails
 * where a removed import leaves an orphaned chunk.
 */
export function laterPart<Part>(what: string, load: () => Promise<Part>): () => Promise<Part> {
  return () => loadPart(what, load);
}
