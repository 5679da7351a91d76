import { createProver } from 'pippin-prover';

export const openProver = () => createProver();
