import { serveCoordinator } from './hosts/page/serve-coordinator.js';
import * as pippin from './index.js';

declare global {
  /** The package, in a page or service worker that has loaded its classic script. */
  var Pippin: typeof pippin;
}

// The engine is in this script for `threads: 0`, so a coordinator starts from it too, with the fragment #coordinator
// (scripts/lib/classic-scripts.mjs).
if (globalThis.document === undefined && location.href.endsWith('#coordinator')) serveCoordinator();
else globalThis.Pippin = pippin;
