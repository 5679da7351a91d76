/** The browser, or the runtime and its version. */
export function platformName(): string {
  return globalThis.navigator?.userAgent ?? `Node.js ${globalThis.process?.version ?? ''}`.trim();
}
