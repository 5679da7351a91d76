import { createRequire } from 'node:module';
import { LIBRARIES } from './libraries.mjs';

/**
 * Makes and verifies proofs with one library, and writes milliseconds as JSON: of the first proof, the import of the
 * library included, and of later ones. Fails unless every proof verifies and no forged one does.
 *
 *     node measure.mjs LIBRARY snarkjs|pippin LATER
 */
const [name, expected, later] = /** @type {[string, string, string]} */ (
  /** @type {unknown} */ (process.argv.slice(2))
);
const library = LIBRARIES[name];
const began = performance.now();
const { prove, verify, forge } = await library.open();
const proofs = [await prove()];
const first = performance.now() - began;
const times = [];
for (let i = 0; i < Number(later); i++) {
  const start = performance.now();
  proofs.push(await prove());
  times.push(performance.now() - start);
}
for (const proof of proofs) {
  if ((await verify(proof)) !== true) throw new Error(`expected ${name} to verify its proof, got false`);
  if ((await verify(forge(proof))) !== false) throw new Error(`expected ${name} to refuse a forged proof, got true`);
}
const require = createRequire(import.meta.url);
const used = createRequire(require.resolve(library.entry))('snarkjs');
const found = 'configure' in used ? 'pippin' : 'snarkjs';
if (found !== expected) throw new Error(`expected ${name} to call ${expected}, got ${found}`);
console.log(JSON.stringify({ first, later: times }));
// As applications end the workers of snarkjs. Where several copies of ffjavascript are installed, it keeps no curve
// there.
await /** @type {any} */ (globalThis).curve_bn128?.terminate();
// snarkjs keeps the process alive then.
if (expected === 'snarkjs') process.exit();
