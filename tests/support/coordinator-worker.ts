import '../../workers/coordinator.js';

/** Vitest's server puts a call of `wrapDynamicImport` around every dynamic import, and pages alone have that function. */
const runner = { wrapDynamicImport: (load: () => Promise<unknown>) => load() };

Object.assign(globalThis, { __vitest_browser_runner__: runner });
