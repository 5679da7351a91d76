import type { SourceDescription } from '../engine/engine-api.js';

/** A location that a page gives: a URL, relative to the page. */
export function describeUrl(location: string | URL): SourceDescription {
  return { kind: 'url', url: new URL(location, globalThis.location?.href).href };
}
