/**
 * Vitest's server puts a call of `wrapDynamicImport` around every dynamic import, and the pages that it opens alone
 * have that function.
 */
const runner = { wrapDynamicImport: (load: () => Promise<unknown>) => load() };

/** Lets scripts of another page, or of a worker, import as they do elsewhere. */
export function importPlainly(scope: object): void {
  Object.assign(scope, { __vitest_browser_runner__: runner });
}
