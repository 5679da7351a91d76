/** Where the digits come from: the GPU cuts them from scalars, or they are brought as they are. */
export type DigitsFrom = 'scalars' | 'digits';
