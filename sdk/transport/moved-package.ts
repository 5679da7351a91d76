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
