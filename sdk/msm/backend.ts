/** What a multi-scalar multiplication, or a batch of them, is told beside its operands. */
export interface MsmOptions {
  readonly signal?: AbortSignal | undefined;
  /** `fraction` of all the work that is done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Bits of a window, 4 to 20; chosen by the plan when left out. */
  readonly windowBits?: number | undefined;
}

/**
 * What a backend gives back: the sums of its windows, to be put together by `reduceWindows`, or a few affine points whose
 * sum is the result.
 */
export type MsmParts =
  | {
      readonly kind: 'windows';
      readonly windowBits: number;
      /**
       * Window after window, lowest first: accumulators in packed Montgomery form, 4 coordinates each.
       * Weierstrass: X, Y, ZZ, ZZZ (infinity has ZZ = 0). Edwards: X, Y, Z, T.
       */
      readonly sums: Uint8Array;
    }
  | {
      readonly kind: 'points';
      /** Affine points in the boundary form. */
      readonly points: readonly Uint8Array[];
    };

/** Bases that lie ready on a backend. */
export interface ResidentBases {
  /** Scalars that a multiplication expects: the `kept` of the prepared bases. */
  readonly count: number;
  /** Gives their memory back. Harmless when called twice. */
  release(): void;
}

/** One of the two engines that can sum k_i P_i, each with its own way to load bases. `msm/` speaks to this interface alone. */
export interface MsmBackend<Bases extends ResidentBases = ResidentBases> {
  readonly kind: 'webgpu' | 'wasm';
  /**
   * `batch` multiplications over the same bases. `scalars`: batch * count * 32 bytes, multiplication after multiplication,
   * canonical (below r), little-endian; already checked. Gives the parts of each multiplication.
   */
  multiplyBatch(bases: Bases, scalars: Uint8Array, batch: number, options?: MsmOptions): Promise<MsmParts[]>;
}
