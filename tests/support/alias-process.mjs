/**
 * Makes a proof of the circuit `chain` by the alias of snarkjs, writes the number of its public signals, and ends
 * without ending the prover.
 *
 *     node tests/support/alias-process.mjs ALIAS ZKEY WASM OPTIONS TERMINATES
 */
const [entry, zkey, wasm, options, terminates] = /** @type {[string, string, string, string, string]} */ (
  /** @type {unknown} */ (process.argv.slice(2))
);
const alias = /** @type {typeof import('../../sdk/snarkjs-node.js')} */ (await import(entry));
alias.configure({ ...JSON.parse(options), prover: { backend: 'wasm', threads: 1, cache: false } });
const { publicSignals } = await alias.groth16.fullProve({ start: 1, factor: 2, offset: 3 }, wasm, zkey);
if (terminates === 'true') {
  const { curve_bn128 } = /** @type {{ curve_bn128?: { terminate(): Promise<void> } }} */ (globalThis);
  await curve_bn128?.terminate();
}
console.log(publicSignals.length);
