/** Dispatches of one submit at most. */
export const MAX_DISPATCHES = 64;

/** Distance between the `Params` of two dispatches of a submit: the default alignment of dynamic offsets. */
export const PARAMS_STRIDE = 256;

/** Bytes of the `Params` of all dispatches of a submit. */
export const SUBMIT_PARAMS_BYTES = MAX_DISPATCHES * PARAMS_STRIDE;

/** Bytes of a kernel's `Params` that are bound: the runtime's own words and the kernel's. */
export const PARAMS_BYTES = 64;

/**
 * The runtime's own words at the beginning of every `Params`: a number of limbs that is the count of loops which no compiler may unroll,
 * and the threads of the dispatch.
 */
export const RUNTIME_PARAMS = ['limbs', 'first', 'end'] as const;

/** Words of its own that a kernel may have in `Params`. */
export const MAX_PARAMS = PARAMS_BYTES / 4 - RUNTIME_PARAMS.length;
