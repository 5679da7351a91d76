/**
 * The MSMs of a PLONK proof over the powers of tau, by the names of its commitments in snarkjs' JSON: the wires, the
 * grand product, the quotient's three parts, and the openings at xi and xi w.
 */
export const PLONK_PARTS = ['A', 'B', 'C', 'Z', 'T1', 'T2', 'T3', 'Wxi', 'Wxiw'] as const;

export type PlonkPart = (typeof PLONK_PARTS)[number];
