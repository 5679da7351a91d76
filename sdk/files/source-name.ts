import { basename } from 'node:path';
import { withoutUrlSecrets } from '../base/errors.js';

/** The most characters of a name that are kept and shown. */
export const MAX_NAME = 100;

/** What a list of the cache's records calls a file: the last part of its path, as folders tell too much. */
export function nameOfPath(path: string): string | undefined {
  return short(basename(path));
}

/**
 * What a list of the cache's records calls what comes from an http or https URL: the last part of its path, without
 * query and fragment. Undefined for other URLs, and where the path ends with a slash.
 */
export function nameOfUrl(url: string): string | undefined {
  const [, path = ''] = /^https?:\/\/[^/]*\/(.*)$/is.exec(withoutUrlSecrets(url)) ?? [];
  return short(path.slice(path.lastIndexOf('/') + 1));
}

function short(name: string): string | undefined {
  return name === '' ? undefined : name.slice(0, MAX_NAME);
}
