import { PippinError } from '../errors.js';

/**
 * The URL of a file of the package.
 *
 * @param given where the caller says that it lies; `INVALID_ARGUMENT` if that is no URL.
 * @param name where it lies otherwise, seen from the module at `base`.
 */
export function assetUrl(given: string | URL | undefined, name: string, base: string): URL {
  try {
    return new URL(given ?? name, base);
  } catch (cause) {
    throw new PippinError('INVALID_ARGUMENT', `expected the place of ${name} (assets) as a URL, got what is none`, {
      cause,
      hint: 'give an absolute URL: where the module was made from a Blob, relative ones have nothing to start from',
    });
  }
}
