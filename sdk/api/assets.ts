import type { CurveId } from '../curves/index.js';

/**
 * The WASM modules. Each curve has three for its points: one for every machine, a faster one (`-fma`) for machines
 * whose relaxed SIMD has fused multiply-add, and one (`-simd`) for machines with SIMD alone; curves of proving keys
 * have one more, for engines with wide arithmetic (`-wide`). Another module is for its scalars (`-scalars`); it is
 * loaded where the workers compute MSMs or transforms. BN254 has a faster form of it, too. Curves with transforms have
 * one for vectors of scalars, as of PLONK, FFLONK and KZG (`-elements`), curves of proving keys two for the square
 * roots of packed keys (`-roots`, `-roots-fma`), and three for the points that ceremonies multiply (`-rows`,
 * `-rows-fma`, `-rows-simd`).
 */
export type WasmModuleName =
  | CurveId
  | `${CurveId}-fma`
  | `${CurveId}-simd`
  | `${CurveId}-scalars`
  | 'bn254-scalars-fma'
  | 'bn254-elements'
  | 'bn254-roots'
  | 'bn254-roots-fma'
  | 'bn254-rows'
  | 'bn254-rows-fma'
  | 'bn254-rows-simd'
  | 'bn254-wide'
  | 'bls12-377-elements'
  | 'bls12-381-elements'
  | 'bls12-381-roots'
  | 'bls12-381-roots-fma'
  | 'bls12-381-rows'
  | 'bls12-381-rows-fma'
  | 'bls12-381-rows-simd'
  | 'bls12-381-wide';

/** The browsers' TrustedScriptURL (https://www.w3.org/TR/trusted-types/), by its members. */
export interface TrustedScriptUrl {
  toString(): string;
  toJSON(): string;
}

/**
 * A `WebAssembly.Module`, under a name that is also known where TypeScript has no types of a browser (`lib:
 * ["es2022"]`).
 */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/**
 * The locations of the files that the package loads by URL, for callers whose bundler does not find them. Relative ones
 * mean the same as in the page itself: they are relative to its base URL, in a worker that makes the prover to the
 * worker's script, and in Node to the working directory. Scripts must be of the page's origin.
 *
 * A page that requires Trusted Types gives scripts, or their folder, as TrustedScriptURL. For the package's own scripts
 * Pippin makes these itself, by a policy named `pippin-prover`.
 */
export interface AssetUrls {
  /**
   * The folder of all files that are not named here: it holds the files of `pippin-prover/assets.json`, or, in Node,
   * the files of `dist`.
   *
   * @defaultValue beside the package's own scripts
   */
  readonly base?: string | URL | TrustedScriptUrl;
  /**
   * The script of the coordinator, `coordinator.js`.
   *
   * @defaultValue in `base`
   */
  readonly coordinator?: string | URL | TrustedScriptUrl;
  /**
   * The script of the kernel workers, `kernel.js`.
   *
   * @defaultValue in `base`
   */
  readonly kernel?: string | URL | TrustedScriptUrl;
  /**
   * The script of the worker that runs a circuit's own WASM, `witness.js`.
   *
   * @defaultValue in `base`
   */
  readonly witness?: string | URL | TrustedScriptUrl;
  /**
   * The script of `ProverOptions.devices`, in Node.
   *
   * @defaultValue in `base`
   */
  readonly device?: string | URL;
  /**
   * The WASM of a curve, whose points and scalars have a module each: their URLs, or the compiled modules themselves.
   * If only the modules without `-fma`, `-simd` and `-wide` are given, machines that could run faster ones use them,
   * too.
   *
   * @defaultValue in `base`
   */
  readonly wasm?: Partial<Readonly<Record<WasmModuleName, string | URL | WasmModule>>>;
}
