import type { SourceDescription } from '../../files/byte-source.js';

/** The absolute URL of what a page or worker names as it does for `fetch`. */
export function locate(location: string): string {
  return new URL(location, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}

/** A location that a page gives: a URL, relative to the page. */
export function describeUrl(location: string | URL): SourceDescription {
  return { kind: 'url', url: locate(String(location)) };
}
