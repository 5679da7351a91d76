// The MSMs of proofs over the powers of tau, by the names of their commitments in snarkjs' JSON.

/** PLONK: the wires, the grand product, the quotient's three parts, and the openings at xi and xi w. */
export const PLONK_PARTS = ['A', 'B', 'C', 'Z', 'T1', 'T2', 'T3', 'Wxi', 'Wxiw'] as const;

export type PlonkPart = (typeof PLONK_PARTS)[number];

/** FFLONK: the wires with the gates' quotient, the permutation, and the two steps of the opening. */
export const FFLONK_PARTS = ['C1', 'C2', 'W1', 'W2'] as const;

export type FflonkPart = (typeof FFLONK_PARTS)[number];
