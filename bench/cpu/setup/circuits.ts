import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as snarkjs from 'snarkjs';
import { root } from '../../../scripts/lib/run.mjs';
import { compileCircuit } from '../../../scripts/lib/trusted-setup.mjs';
import type { CircuitInputs } from '../../../sdk/api/index.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { makeKey } from './make-key.js';
import { Multiples } from './multiples.js';
import { preparedPtauFile } from './ptau-file.js';
import { type R1cs, readR1cs } from './r1cs.js';

/** A circuit to prove, and the files of its key, its witness and its verification key. */
export interface BenchCircuit {
  readonly name: CircuitName;
  readonly constraints: number;
  readonly r1cs: string;
  readonly zkey: string;
  readonly witness: string;
  readonly verificationKey: string;
}

export type CircuitName = keyof typeof INPUTS;

/**
 * A point of Baby Jubjub, circomlib's generator. It serves as key and as R8; any point would do, as any signature is
 * accepted.
 */
const BASE = [
  '5299619240641551281634865583518297030282874472190772894086521144482721001553',
  '16950150798460657717958625567821834550301663161624707787222815936182638968203',
] as const;

/** Inputs that satisfy the circuits of bench/cpu/circuits, by circuit. */
const INPUTS = {
  chain12: { first: 3n ** 150n, second: 5n ** 100n },
  chain14: { first: 3n ** 150n, second: 5n ** 100n },
  chain16: { first: 3n ** 150n, second: 5n ** 100n },
  chain18: { first: 3n ** 150n, second: 5n ** 100n },
  membership: {
    leaf: 7n ** 80n,
    sibling: Array.from({ length: 22 }, (_, i) => 11n ** BigInt(60 + i) % bn254.fr.modulus),
    isRight: Array.from({ length: 22 }, (_, i) => i % 2),
    signed: 0,
    key: BASE,
    r8: BASE,
    s: 2n ** 249n + 12345n,
  },
  sha256: { bits: Array.from({ length: 512 }, (_, i) => (i * i + (i >> 3)) % 2) },
} as const satisfies Record<string, CircuitInputs>;

/** The circuits of proofs. */
export const CIRCUITS = ['chain14', 'membership', 'sha256', 'chain16'] as const satisfies CircuitName[];

const LABELS: Readonly<Record<CircuitName, string>> = {
  chain12: 'chain 2^12',
  chain14: 'chain 2^14',
  membership: 'Merkle + EdDSA',
  sha256: 'SHA-256 of 512 bits',
  chain16: 'chain 2^16',
  chain18: 'chain 2^18',
};

export function circuitLabel(name: CircuitName): string {
  return LABELS[name];
}

/** Inputs that satisfy the circuit, as JSON. */
export function circuitInputs(name: CircuitName): string {
  return JSON.stringify(INPUTS[name], (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The folder that keeps circuits and keys between runs; git ignores it. */
const FOLDER = join(root, 'build', 'bench', 'circuits');
const SOURCES = join(root, 'bench', 'cpu', 'circuits');

/** Compiles a circuit and makes its key and witness, unless an earlier run has left them. */
export async function benchCircuit(name: CircuitName): Promise<BenchCircuit> {
  const folder = join(FOLDER, `${name}-${hashOf(name)}`);
  if (!existsSync(folder)) await make(name, folder);
  const { constraints } = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  return {
    name,
    constraints,
    r1cs: join(folder, `${name}.r1cs`),
    zkey: join(folder, 'key.zkey'),
    witness: join(folder, 'witness.wtns'),
    verificationKey: join(folder, 'vkey.json'),
  };
}

/** The path of prepared powers of tau for a domain of 2^power, made unless an earlier run has left them. */
export async function preparedPtau(power: number): Promise<string> {
  const path = join(FOLDER, `prepared-${power}.ptau`);
  if (existsSync(path)) return path;
  console.log(`making the powers of tau for 2^${power}, only once ...`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, preparedPtauFile(power, await multiples()));
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

async function make(name: CircuitName, folder: string): Promise<void> {
  const start = performance.now();
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  console.log(`making the circuit ${name} and its key, only once: compiling with circom ...`);
  const compiled = await compileCircuit(join(SOURCES, `${name}.circom`), unfinished);
  const circuit = await readR1cs(new Uint8Array(readFileSync(compiled.r1cs)));
  console.log(`${circuit.constraints.length} constraints; making witness and key ...`);
  await snarkjs.wtns.calculate(INPUTS[name], compiled.wasm, join(unfinished, 'witness.wtns'));
  const key = await makeCheckedKey(circuit, unfinished);
  writeFileSync(join(unfinished, 'key.zkey'), key);
  writeFileSync(join(unfinished, 'facts.json'), JSON.stringify({ constraints: circuit.constraints.length }));
  renameSync(unfinished, folder);
  console.log(`done after ${((performance.now() - start) / 1000).toFixed(1)} s, kept in ${relative(root, folder)}`);
}

/**
 * Makes a key, and writes its verification key to the folder. Throws unless snarkjs makes a proof with it that it then
 * accepts.
 */
async function makeCheckedKey(circuit: R1cs, folder: string): Promise<Uint8Array> {
  const key = await makeKey(circuit, await multiples());
  const verificationKey = await snarkjs.zKey.exportVerificationKey({ type: 'mem', data: key });
  const { proof, publicSignals } = await snarkjs.groth16.prove(key, join(folder, 'witness.wtns'));
  if (!(await snarkjs.groth16.verify(verificationKey, publicSignals, proof)))
    throw new Error('expected a key whose proofs verify, got one whose proof does not');
  writeFileSync(join(folder, 'vkey.json'), JSON.stringify(verificationKey));
  return key;
}

let made: Promise<Multiples> | undefined;

function multiples(): Promise<Multiples> {
  made ??= Multiples.create(readFileSync(new URL('./bn254.wasm', import.meta.url)));
  return made;
}

/** A hash of a circuit's sources and inputs, and of the packages that compile it. */
function hashOf(name: CircuitName): string {
  const hash = createHash('sha256');
  const sources = [`${name}.circom`, 'chain.circom'].map((file) => join(SOURCES, file));
  const packages = ['circom2', 'circomlib'].map((file) => join(root, 'node_modules', file, 'package.json'));
  for (const file of [...sources, ...packages]) hash.update(readFileSync(file));
  hash.update(circuitInputs(name));
  return hash.digest('hex').slice(0, 16);
}
