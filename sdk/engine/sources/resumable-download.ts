import { laterPart } from '../../base/load-part.js';
import { ArrivingFile } from '../../files/arriving-file.js';
import type { FetchOptions } from '../../files/url-request.js';
import type { FetchedFile } from '../../files/url-source.js';
import { isComparable, type UrlVersion } from '../../files/url-version.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import { hashOf, isKeptUrl } from './url-records.js';

/** What few downloads and files of the cache need. `IO_FAILED` if its script cannot be loaded. */
export const loadDownloadCache = laterPart('downloads and the cache', () => import('./download-cache.js'));

/**
 * Fetches a file. Of a large one whose version its server tells, the first bytes are kept in the cache while they
 * arrive slowly; after a reload or an abort the download goes on behind them.
 *
 * @param room how many times its size the storage budget must have for the file, as when the whole of it is kept.
 * @param fetchAnew fetches the whole file; undefined if it need not be fetched.
 */
export async function fetchResumable<File extends FetchedFile | undefined>(
  { cache }: EngineContext,
  call: Call,
  { url, room }: { readonly url: string; readonly room: number },
  options: FetchOptions,
  fetchAnew: () => Promise<File>,
): Promise<FetchedFile | File> {
  if (cache.kind === 'none' || !isKeptUrl(url)) return fetchAnew();
  const record = `file/begun/${await hashOf(url)}`;
  const begun = await cache.findFile<UrlVersion>(call, record);
  const rest =
    begun && (await (await loadDownloadCache()).fetchRest({ cache, call }, { record, file: begun }, url, options));
  const file = rest ?? (await fetchAnew());
  if (file?.source instanceof ArrivingFile && isComparable(file.version)) {
    const { source, version } = file;
    // What cannot be kept is downloaded all the same.
    loadDownloadCache()
      .then(({ keepBegun }) => keepBegun(cache, { record, room, begun: rest && begun }, source, version))
      .catch(() => undefined);
  }
  return rest ? { ...rest, record } : file;
}
