/**
 * The precomputation factor: how many precomputed multiples of each base an MSM has, the base among them. n multiples
 * take n times the memory, and leave fewer buckets to reduce ("RCLboMMSM", TCHES 2024, elastic precomputation).
 *
 * - 1, the default, precomputes nothing.
 * - A number from 2 to 32 precomputes while the bases are loaded, which takes about as long as 5 to 10 MSMs, or reads
 *   the multiples from the cache.
 * - `auto` loads without multiples and computes at once. After the first MSM or proof the workers precompute while no
 *   call is in progress, if the cost model promises an MSM at least 5% less time. The notice `PRECOMPUTED` tells when
 *   MSMs use the multiples. They are kept in the cache, from where later loads take them at once. It suits a key or
 *   bases that are used many times.
 *
 * `memoryBudget` bounds them, also on the workers (1 GiB there by default). If it does not suffice, there are fewer or
 * none (notice `PRECOMPUTE_REDUCED`). Bases get none if a multiple of one is infinity or exceptional, because it is
 * outside the subgroup of prime order. A replacement for a lost worker or GPU has none.
 */
export type Precompute = 'auto' | number;

/**
 * How the GPU accumulates the windows of bases with multiples ("RCLboMMSM", TCHES 2024). All windows of a row share one
 * set of buckets (`merged`), or each has its own set, and the sets are merged, bucket by bucket, before the reduction
 * (`cross-window`).
 */
export type Reduction = 'merged' | 'cross-window';

/**
 * How MSMs are computed, for experts and benchmarks. What is left out is chosen for the device; no choice changes a
 * result. A field that does not concern the executor has no effect: the workers heed `windowBits` alone.
 */
export interface MsmTuning {
  /**
   * Bits of a window of the bucket method, 4 to 20 (ICICLE's `c`). Multiples of bases are made for windows of one size;
   * an MSM with other windows does without them.
   *
   * @defaultValue chosen
   */
  readonly windowBits?: number;
  /**
   * A bucket with more than this many times the mean number of bases is split into pieces, which several threads
   * accumulate; 1 to 1000 (ICICLE's `large_bucket_factor`). A piece has 16 to 112 bases, whatever the factor. By
   * default a bucket is split that exceeds the mean by three standard deviations.
   *
   * @defaultValue three standard deviations above the mean
   */
  readonly largeBucketFactor?: number;
  /**
   * The number of chunks of equal size into which the points are cut, 1 to 1024 (ICICLE's `nof_chunks`). The GPU works
   * on one while the scalars of the next are on their way. There are more where memory needs it, and fewer where there
   * are not as many points.
   *
   * @defaultValue chosen
   */
  readonly chunks?: number;
  /**
   * Where bases have no multiples, both are the same.
   *
   * @defaultValue `merged`
   */
  readonly reduction?: Reduction;
  /**
   * The field product with which bases are added to buckets: over limbs of 13 bits in a loop (`limbs`) or without one
   * (`unrolled`, or `karatsuba`, with three products of half as many limbs), over words of 32 bits (`words`), or over
   * bytes with WGSL's `dot4U8Packed` (`bytes`). G2 and MNT4-753 have `limbs` and `bytes` alone, and `limbs` in place of
   * the others. By default the one that was measured or is known to be faster. A GPU that lacks `dot4U8Packed` refuses
   * `bytes` (`INVALID_ARGUMENT`). The workers accumulate in affine coordinates, with the product of their module.
   *
   * @defaultValue what was measured or is known to be faster
   */
  readonly accumulation?: Accumulation;
  /**
   * What decomposes the scalars into digits: the GPU itself, which is faster and the default, or the workers, one after
   * another. The workers always decompose the scalars of their own MSMs.
   *
   * @defaultValue `gpu`
   */
  readonly digits?: DigitCutter;
}

/** How all MSMs over loaded bases, or with a loaded key, are computed. A field that a call names takes precedence. */
export interface LoadTuning extends MsmTuning {
  /**
   * The same as `precompute` beside `tuning` (ICICLE's `precompute_factor`). It is decided when bases are loaded; a
   * call cannot change it, and refuses it (`INVALID_ARGUMENT`). With it `windowBits` are the windows for which
   * multiples are made. `reduction: 'cross-window'` needs it.
   *
   * @defaultValue the `precompute` beside `tuning`
   */
  readonly precompute?: Precompute;
}

/** How field elements are multiplied where the GPU adds bases to buckets. */
export type Accumulation = 'limbs' | 'unrolled' | 'karatsuba' | 'words' | 'bytes';

/** What decomposes scalars into digits for an MSM on the GPU. */
export type DigitCutter = 'gpu' | 'workers';
