/**
 * The MSMs of an FFLONK proof over the powers of tau, by the names of its commitments in snarkjs' JSON: the wires with
 * the gates' quotient, the permutation, and the two steps of the opening.
 */
export const FFLONK_PARTS = ['C1', 'C2', 'W1', 'W2'] as const;

export type FflonkPart = (typeof FFLONK_PARTS)[number];
