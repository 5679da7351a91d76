import { createProver } from 'pippin-prover';

export const openProver = () => createProver({ assets: '/pippin/' }); // for Pippin
