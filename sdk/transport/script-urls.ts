/**
 * Whether a script belongs to another origin than the page or worker that runs here, such as a CDN's. Browsers start no
 * worker from one. The `origin` of a worker that was started by a blob: URL is its page's.
 */
export function isForeignScript(url: string): boolean {
  // Node has no location.
  const { location } = globalThis as { readonly location?: Location };
  return location !== undefined && /^https?:/.test(url) && new URL(url).origin !== location.origin;
}

/** The start scripts of this thread. None is revoked: browsers differ in when they read it, and each is a line long. */
const starts = new Map<string, string>();

/**
 * The URL that a worker with this script is started from: the script's own, or of a start script of this origin that
 * loads a foreign one. A page whose content security policy forbids workers from blob: URLs refuses the latter.
 *
 * The foreign URL stands in the fragment as well: a classic script learns from `location` alone where it came from.
 */
export function startUrl(url: string, options?: WorkerOptions): string {
  if (!isForeignScript(url)) return url;
  const quoted = JSON.stringify(url);
  // A static import: the messages that the worker is sent wait until it is evaluated.
  const code = options?.type === 'module' ? `import${quoted}` : `importScripts(${quoted})`;
  let start = starts.get(code);
  if (start === undefined) {
    start = `${URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))}#${url}`;
    starts.set(code, start);
  }
  return start;
}

/**
 * The folders in which Vite 5 to 7, and what is made of them, keep the packages that they prepare for the development
 * server, such as `/node_modules/.vite/deps/`. They move a package's scripts there, and leave its workers and its WASM
 * behind.
 */
const PREPARED = /\/(node_modules\/)?\.(vite|cache)\/([^?#]+\/)?deps[^/?#]*\//;

/** Whether a URL names a file in such a folder. */
export function isMoved(url: string): boolean {
  return PREPARED.test(url);
}

/**
 * The URL of a file of the package, which a bundler gave for one that stands beside the script that asks. In a folder
 * of moved scripts there is no such file; the same server serves it from the package's own folder, if that lies beside.
 */
export function packageFile(url: string): string {
  return url.replace(PREPARED, '/node_modules/pippin-prover/dist/');
}
