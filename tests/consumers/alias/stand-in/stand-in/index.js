export * from 'pippin-prover/snarkjs';
export { default } from 'pippin-prover/snarkjs';
