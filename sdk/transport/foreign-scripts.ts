/**
 * Scripts of workers on another origin, such as a CDN. A browser starts no Worker from there, but a script of the page's
 * own origin may import from there (HTML Standard, "run a worker" and "fetch a classic/module worker script"). So such a
 * worker begins with a start script of one statement, which is a Blob: the page's policy must allow `blob:` in
 * worker-src, and the other origin in script-src.
 */

/** The URLs of this thread's start scripts, by their text. They are never revoked: there are three at most. */
const startScripts = new Map<string, string>();

/** Whether a URL of a script is on another origin than this thread's. In Node there is none. */
export function isForeignScript(url: string): boolean {
  const { origin } = globalThis as { readonly origin?: string };
  return origin !== undefined && /^https?:/.test(url) && new URL(url).origin !== origin;
}

/**
 * The URL from which a Worker starts with this script: its own, or the URL of a start script.
 *
 * @param type as the Worker's option: `module`, or a classic script when left out.
 */
export function startableScript(url: string, type: WorkerOptions['type'] = 'classic'): string {
  if (!isForeignScript(url)) return url;
  const place = JSON.stringify(url);
  const statement =
    // A classic script knows its own URL only from what imports it (scripts/lib/classic-scripts.mjs).
    type === 'module' ? `import ${place};` : `self.pippinScriptUrl = ${place}; importScripts(${place});`;
  const known = startScripts.get(statement);
  if (known !== undefined) return known;
  const start = URL.createObjectURL(new Blob([statement], { type: 'text/javascript' }));
  startScripts.set(statement, start);
  return start;
}
