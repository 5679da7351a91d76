import { PippinError } from '../../base/errors.js';
import { type NodeFile, nodeFileUrl } from '../node/generated/node-file-urls.js';

/**
 * The URL of a file of the package in Node.
 *
 * @param given where the caller says that it lies; `INVALID_ARGUMENT` if that is no URL.
 * @param name of the file, for which the caller may have said nothing.
 * @param base the folder where it lies then; undefined for this script's folder.
 */
export function assetUrl(given: string | URL | undefined, name: NodeFile, base: string | undefined): URL {
  try {
    if (given !== undefined) return new URL(given);
    return base === undefined ? nodeFileUrl(name) : new URL(name, base);
  } catch (cause) {
    throw new PippinError('INVALID_ARGUMENT', `expected the place of ${name} (assets) as a URL, got what is none`, {
      cause,
      hint: 'give an absolute URL: where the module was made from a Blob, relative ones have nothing to start from',
    });
  }
}
