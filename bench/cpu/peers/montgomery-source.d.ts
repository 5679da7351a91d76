/**
 * What the benchmark uses of montgomery's source (github.com/mitschabaude/montgomery), which is not part of this
 * project.
 */
declare module 'montgomery-source/parallel.js' {
  interface CurveParams {
    readonly label: string;
    readonly modulus: bigint;
    readonly order: bigint;
    readonly cofactor: bigint;
    readonly a: bigint;
    readonly b: bigint;
    readonly generator: { readonly x: bigint; readonly y: bigint };
    readonly endomorphism: { readonly beta: bigint; readonly lambda: bigint };
  }
  /** Arguments and results are addresses in the curve's shared memory. */
  interface Curve {
    readonly Field: { readonly local: { getPointers(count: number): number[] }; getPointer(bytes: number): number };
    readonly Scalar: { readonly sizeField: number; writeBigint(at: number, value: bigint): void };
    readonly Affine: {
      readonly size: number;
      writeBigint(at: number, point: { x: bigint; y: bigint; isZero: boolean }): void;
      toBigint(at: number): { x: bigint; y: bigint; isZero: boolean };
    };
    readonly Projective: { toAffine(scratch: number[], target: number, point: number): void };
    /** These functions run on all threads and give the main thread's result. */
    readonly Parallel: {
      getPointer(bytes: number): Promise<number>;
      getScalarPointer(bytes: number): Promise<number>;
      msm(scalars: number, points: number, count: number): Promise<{ result: number }>;
    };
  }
  export const Weierstraß: { create(parameters: CurveParams): Promise<Curve> };
  export function startThreads(threads: number): Promise<void>;
  export function stopThreads(): Promise<void>;
}

declare module 'montgomery-source/wasm/multiply-montgomery.js' {
  import type { Func, i32 } from 'wasmati';
  export function multiplyMontgomery(
    p: bigint,
    limbBits: number,
    limbs: number,
    options: object,
  ): { multiply: Func<[i32, i32, i32], []> };
}

declare module 'montgomery-source/bigint/field-util.js' {
  export function montgomeryParams(p: bigint, limbBits: number): { readonly n: number; readonly R: bigint };
}
