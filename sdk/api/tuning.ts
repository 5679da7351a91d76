/**
 * How many precomputed multiples sums have of each base, the base among them: the precomputation factor. They take so many times the memory,
 * and a sum then has fewer buckets to add up ("RCLboMMSM", TCHES 2024, its elastic precomputation).
 *
 * - 1, the default, makes none. It takes no memory and no time, and every sum is as fast as the first.
 * - A number from 2 to 32 makes them while the bases are loaded, which takes about as long as 5 to 10 sums, or reads them from the cache.
 * - `auto` loads without multiples and computes at once. After the first sum or proof the workers make multiples while no call is under way, if
 *   a sum takes at least 5% less time with them by the cost model. The notice `PRECOMPUTED` tells when sums use them. They are kept in the
 *   cache, and later loads take them from there at once. It suits a key or bases that are used many times.
 *
 * `memoryBudget` bounds them, also on the workers (1 GiB there by default). Fewer are made then, or none, which `PRECOMPUTE_REDUCED` tells.
 * Bases get none if a multiple of one is infinity or exceptional, because it is outside the subgroup of prime order. What takes the place of
 * a worker or GPU that was lost does without.
 */
export type Precompute = 'auto' | number;

/**
 * How the GPU adds up the windows of bases with multiples ("RCLboMMSM", TCHES 2024). All windows of a row go into one set of buckets
 * (`merged`), or each of them has a set of its own, and the sets are joined, bucket by bucket, before they are reduced (`cross-window`).
 */
export type Reduction = 'merged' | 'cross-window';

/**
 * How sums are computed; every field is for experts and benchmarks. What is left out is chosen for the device. The sum is the same whatever is
 * chosen. A field that does not concern what computes the sum has no effect: the workers heed `windowBits` alone.
 */
export interface MsmTuning {
  /**
   * Bits of a window of the bucket method, 4 to 20 (ICICLE's `c`). Multiples of bases are made for windows of one size; a sum with other
   * windows does without them.
   */
  readonly windowBits?: number;
  /**
   * Buckets of more than so many times the mean number of bases are cut into pieces, which several threads add up; 1 to 1000 (ICICLE's
   * `large_bucket_factor`). A piece has 16 to 112 bases, whatever the factor. By default a bucket is cut that has three standard deviations more
   * than the mean.
   */
  readonly largeBucketFactor?: number;
  /**
   * The number of chunks of equal size into which the points are cut, 1 to 1024 (ICICLE's `nof_chunks`). The GPU works on one while the scalars
   * of the next are on their way. There are more where memory needs it, and fewer where there are not as many points.
   */
  readonly chunks?: number;
  /** Default `merged`. Where bases have no multiples, both are the same. */
  readonly reduction?: Reduction;
  /**
   * The products by which bases are added to buckets: of limbs of 13 bits (`limbs`), or of bytes with WGSL's `dot4U8Packed` (`bytes`). By default
   * what was measured or is known to be faster. A GPU that lacks `dot4U8Packed` refuses `bytes` (`INVALID_ARGUMENT`). The workers add up in affine
   * coordinates, by the products of their module.
   */
  readonly accumulation?: Accumulation;
  /**
   * Who cuts the scalars into digits: the GPU itself, which is faster and the default, or one of the workers after another. The workers always
   * cut the digits of their own sums.
   */
  readonly digits?: DigitCutter;
}

/** How all sums over loaded bases, or with a loaded key, are computed. A field that a call names comes before. */
export interface LoadTuning extends MsmTuning {
  /**
   * The same as `precompute` beside `tuning` (ICICLE's `precompute_factor`). It is decided when bases are loaded; a call cannot change it, and
   * refuses it (`INVALID_ARGUMENT`). With it `windowBits` are the windows for which multiples are made. `reduction: 'cross-window'` needs it.
   */
  readonly precompute?: Precompute;
}

/** How field elements are multiplied where the GPU adds bases to buckets. */
export type Accumulation = 'limbs' | 'bytes';

/** Who cuts scalars into digits for a sum on the GPU. */
export type DigitCutter = 'gpu' | 'workers';
