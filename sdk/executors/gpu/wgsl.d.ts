/** A WGSL module, imported as its text (by Rolldown's `moduleTypes` in the build, by a small plugin in Vitest). */
declare module '*.wgsl' {
  const source: string;
  export default source;
}
