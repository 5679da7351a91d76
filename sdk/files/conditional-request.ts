import { type FetchOptions, requestOf } from './url-request.js';
import { answered, fileOf, NOT_MODIFIED, type WholeFile } from './url-source.js';
import { type UrlVersion, versionOf } from './url-version.js';

/**
 * The same as `fetchFile` as a conditional request: undefined, without the bytes, if the file is the kept one. A server
 * that knows the ETag answers with the status 304; another server's answer is cancelled after its headers. This serves
 * where HEAD is refused or answered in another way.
 *
 * @param isKept whether a version is the kept file's.
 * @param etag the strong ETag of the kept file, if it has one.
 */
export async function fetchFileUnlessKept(
  url: string,
  isKept: (version: UrlVersion) => Promise<boolean>,
  etag: string | undefined,
  options: FetchOptions,
): Promise<WholeFile | undefined> {
  const { signal } = options;
  const init = requestOf(options);
  // For another origin the header would need a CORS preflight, which the server may not know how to answer.
  const headers = etag !== undefined && !isForeign(url) ? { 'if-none-match': etag } : undefined;
  const ask = async (): Promise<Response> => {
    if (headers === undefined) return fetch(url, init);
    const response = await fetch(url, { ...init, headers });
    // The ETags that a server compares may be weak. Then the file itself is asked for.
    const isCertain = response.status !== NOT_MODIFIED || (await isKept(versionOf(response)));
    return isCertain ? response : fetch(url, init);
  };
  return answered(url, signal, ask, async (response) => {
    if (response.status !== NOT_MODIFIED && !(await isKept(versionOf(response)))) return fileOf(response, options);
    await response.body?.cancel();
    return undefined;
  });
}

/** Whether a URL is of another origin than the page. In Node there is none, and no request needs a CORS preflight. */
function isForeign(url: string): boolean {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location !== undefined && new URL(url).origin !== location.origin;
}
