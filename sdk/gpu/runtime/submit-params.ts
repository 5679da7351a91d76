/** Dispatches of one submit at most. */
export const MAX_DISPATCHES = 64;

/** Distance between the `Params` of two dispatches of a submit: the default alignment of dynamic offsets. */
export const PARAMS_STRIDE = 256;

/** Bytes of the `Params` of all dispatches of a submit. */
export const SUBMIT_PARAMS_BYTES = MAX_DISPATCHES * PARAMS_STRIDE;
