import * as pippin from './index.js';

declare global {
  /** The package, in a page or service worker that has loaded its classic script. */
  var Pippin: typeof pippin;
}

globalThis.Pippin = pippin;
