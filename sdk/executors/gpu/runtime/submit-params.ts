/** The most dispatches per submit. */
export const MAX_DISPATCHES = 64;

/** Stride of the `Params` of a submit's dispatches: the default alignment of dynamic offsets. */
export const PARAMS_STRIDE = 256;

/** Bytes for the `Params` of all dispatches of a submit. */
export const SUBMIT_PARAMS_BYTES = MAX_DISPATCHES * PARAMS_STRIDE;

/** Bound bytes of a kernel's `Params`: the runtime's words and the kernel's own. */
export const PARAMS_BYTES = 128;

/**
 * The runtime's words at the beginning of every `Params`: the number of limbs, which serves as the count of loops that
 * the compiler must not unroll, and the first and end thread of the dispatch.
 */
export const RUNTIME_PARAMS = ['limbs', 'first', 'end'] as const;

/** The most words of its own that a kernel may have in `Params`. */
export const MAX_PARAMS = PARAMS_BYTES / 4 - RUNTIME_PARAMS.length;
