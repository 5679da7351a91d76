import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as snarkjs from 'snarkjs';
import { commandOf, mustRun, root } from './run.mjs';

/**
 * Circuits and keys for tests and examples, made with circom and snarkjs. The secrets of such a key are derived from a
 * fixed word, so that the same circuit gives the same key on every machine. For the same reason anyone can forge proofs
 * for it. Never use one for anything of value.
 */

/** What the secrets are derived from, as snarkjs' "random beacon": 2^10 rounds of SHA-256 over these bytes. */
const BEACON = '70697070696e'; // "pippin"
const BEACON_ROUNDS_EXPONENT = 10;

/** @typedef {{ r1cs: string, wasm: string }} Compiled where a circuit's constraints and its witness generator lie */
/** @typedef {Compiled & { zkey: string, verificationKey: string }} CircuitFiles */
/** @typedef {'plonk' | 'fflonk'} UniversalProtocol a proof system whose keys need no ceremony but the powers of tau */

/**
 * Compiles a circuit. Includes are looked for beside the source, in node_modules, and in circomlib.
 *
 * @param {string} source path of the .circom file that has the main component
 * @param {string} folder for the files made; created where it is missing
 * @param {readonly string[]} [flags] more of circom's, such as `--O2` or `--prime bls12381`
 * @returns {Promise<Compiled>}
 */
export async function compileCircuit(source, folder, flags = []) {
  mkdirSync(folder, { recursive: true });
  // The compiler runs in a sandbox that knows paths relative to the repository's root alone.
  const here = (/** @type {string} */ path) => relative(root, path);
  const libraries = ['node_modules', 'node_modules/circomlib/circuits'].flatMap((path) => ['-l', path]);
  const compiler = [commandOf('circom2'), here(source), '--r1cs', '--wasm', '-o', here(folder), ...libraries, ...flags];
  // It runs for a second or two: the engine's own optimising compiler would take longer than it saves.
  await mustRun(process.execPath, ['--liftoff-only', ...compiler]);
  const name = basename(source, '.circom');
  const wasm = join(folder, `${name}.wasm`);
  renameSync(join(folder, `${name}_js`, `${name}.wasm`), wasm);
  await rm(join(folder, `${name}_js`), { recursive: true });
  return { r1cs: join(folder, `${name}.r1cs`), wasm };
}

/** @type {Readonly<Record<UniversalProtocol, (r1cs: string, ptau: string, zkey: string) => Promise<unknown>>>} */
const SETUPS = { plonk: snarkjs.plonk.setup, fflonk: snarkjs.fflonk.setup };

/** The curves that snarkjs has started workers for. */
const startedCurves = new Set();

/**
 * Powers of tau for circuits of up to 2^power constraints (public signals counted in), made unless the folder has them.
 *
 * @param {number} power
 * @param {string} folder
 * @param {string} [prime] the curve by the name that circom and snarkjs have for it
 */
async function powersOfTau(power, folder, prime = 'bn128') {
  const file = join(folder, `pot${power}${prime === 'bn128' ? '' : `-${prime}`}.ptau`);
  startedCurves.add(prime);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const curve = await snarkjs.curves.getCurveFromName(prime);
  const [start, contributed, prepared] = [inMemory(), inMemory(), `${file}.${process.pid}`];
  await snarkjs.powersOfTau.newAccumulator(curve, power, start);
  await snarkjs.powersOfTau.beacon(start, contributed, 'test only', BEACON, BEACON_ROUNDS_EXPONENT);
  await snarkjs.powersOfTau.preparePhase2(contributed, prepared);
  renameSync(prepared, file);
  return file;
}

/**
 * Makes powers of tau for circuits of up to 2^power constraints, and takes those for all smaller ones from them, which
 * is quicker than to make these too.
 *
 * @param {number} power
 * @param {string} folder
 */
export async function makePowersOfTau(power, folder) {
  const part = join(folder, 'part-');
  await snarkjs.powersOfTau.truncate(await powersOfTau(power, folder), part);
  for (let smaller = 1; smaller < power; smaller++) {
    renameSync(`${part}${String(smaller).padStart(2, '0')}.ptau`, join(folder, `pot${smaller}.ptau`));
  }
}

/**
 * Compiles a circuit and makes its Groth16 key and verification key, and on request those of PLONK and FFLONK, named
 * `NAME.plonk.zkey`, `NAME.plonk.vkey.json`, `NAME.fflonk.zkey`, `NAME.fflonk.vkey.json`.
 *
 * @param {string} source path of the .circom file that has the main component
 * @param {string} folder for the files made, named after the source
 * @param {object} [options]
 * @param {readonly string[]} [options.flags] circom's
 * @param {string} [options.powers] the folder of the powers of tau, which circuits may share (default: `folder`)
 * @param {string} [options.prime] the curve by the name that circom and snarkjs have for it (default: bn128)
 * @param {Readonly<Partial<Record<UniversalProtocol, number>>>} [options.universal] which further keys to make, each
 * with powers of tau of which size: for n gates PLONK needs 2^power >= n, and FFLONK 2^(power + 1) > 9 n + 18, where n is
 * rounded up to a power of two
 * @returns {Promise<CircuitFiles>}
 */
export async function makeCircuit(
  source,
  folder,
  { flags = [], powers = folder, prime = 'bn128', universal = {} } = {},
) {
  const compiled = await compileCircuit(source, folder, ['--prime', prime, ...flags]);
  const name = basename(source, '.circom');
  const zkey = join(folder, `${name}.zkey`);
  const verificationKey = join(folder, `${name}.vkey.json`);
  await makeKey(compiled.r1cs, zkey, verificationKey, powers, prime);
  for (const [protocol, power] of Object.entries(universal)) {
    const key = join(folder, `${name}.${protocol}.zkey`);
    const ptau = await powersOfTau(power, powers, prime);
    if ((await SETUPS[/** @type {UniversalProtocol} */ (protocol)](compiled.r1cs, ptau, key)) === -1) {
      throw new Error(`snarkjs could not make a ${protocol} key for ${compiled.r1cs}`);
    }
    await exportVerificationKey(key, join(folder, `${name}.${protocol}.vkey.json`));
  }
  return { ...compiled, zkey, verificationKey };
}

/**
 * @param {string} r1cs
 * @param {string} zkey the key's file, to be written
 * @param {string} verificationKey likewise
 * @param {string} powers
 * @param {string} prime
 */
async function makeKey(r1cs, zkey, verificationKey, powers, prime) {
  const { nConstraints, nPubInputs, nOutputs } = await snarkjs.r1cs.info(r1cs);
  // snarkjs gives each public signal a constraint of its own, and wants one row more.
  const power = Math.ceil(Math.log2(nConstraints + nPubInputs + nOutputs + 1));
  const initial = inMemory();
  const made = await snarkjs.zKey.newZKey(r1cs, await powersOfTau(Math.max(1, power), powers, prime), initial);
  if (made === -1) throw new Error(`snarkjs could not make a key for ${r1cs}`);
  await snarkjs.zKey.beacon(initial, zkey, 'test only', BEACON, BEACON_ROUNDS_EXPONENT);
  await exportVerificationKey(zkey, verificationKey);
}

/** @param {string} zkey @param {string} verificationKey the file to be written */
async function exportVerificationKey(zkey, verificationKey) {
  const key = await snarkjs.zKey.exportVerificationKey(zkey);
  writeFileSync(verificationKey, `${JSON.stringify(key, undefined, 1)}\n`);
}

/** A file of snarkjs' that lives in memory. @returns {{ type: 'mem', data?: Uint8Array }} */
function inMemory() {
  return { type: 'mem' };
}

/** Ends snarkjs' workers, which would keep the process alive. To be called once, at the end. */
export async function endSnarkjs() {
  for (const prime of startedCurves) await (await snarkjs.curves.getCurveFromName(prime)).terminate();
}
