import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  CircuitInputs,
  FflonkProof,
  FflonkVerificationKey,
  Groth16Proof,
  Groth16VerificationKey,
  PlonkProof,
  PlonkVerificationKey,
} from '../../sdk/api/index.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { root } from './root.js';

/** A circuit of tests/circuits, compiled by circom, with a key made by snarkjs. */
export interface TestCircuit<VerificationKey = Groth16VerificationKey> {
  readonly wasm: Uint8Array;
  readonly zkey: Uint8Array;
  readonly verificationKey: VerificationKey;
  /** Inputs that satisfy it. */
  readonly inputs: CircuitInputs;
}

export type CircuitName = keyof typeof INPUTS;

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** For each circuit with a key, inputs that satisfy it. */
const INPUTS = {
  smallest: { root: 7 },
  chain: { start: R - 1n, factor: String(R / 3n), offset: '0x1f' },
  matrix: {
    left: [
      [1, 2, 3],
      [R - 1n, R - 2n, 0],
      ['7', '0x8', 9n],
    ],
    right: [
      [0, 0, 1],
      [0, 1, 0],
      [R / 2n, 0, 0],
    ],
  },
  flags: { values: [0, 1, 65535, 0, 4096, 0], bound: 4097 },
  hash: { inputs: [1, 2] },
  logging: { root: 7 },
} as const satisfies Record<string, CircuitInputs>;

/** Milliseconds to wait for the first circuit that a test asks for, because all circuits may have to be made first. */
export const MAKING_TIMEOUT = 15 * 60_000;

/**
 * The circuits for suites that run over all of them. `logging` is not among them: snarkjs prints its logs, which would
 * fill the output.
 */
export const CIRCUIT_NAMES = (Object.keys(INPUTS) as CircuitName[]).filter((name) => name !== 'logging');

/**
 * A circuit by its name. For curves other than BN254 there is only `chain`, in a folder that has snarkjs' name of the
 * curve.
 */
export async function testCircuit(name: CircuitName | `${string}/chain`): Promise<TestCircuit> {
  const folder = await circuitsFolder();
  const inputs = INPUTS[basename(name) as CircuitName];
  return {
    wasm: readBytes(join(folder, `${name}.wasm`)),
    zkey: readBytes(join(folder, `${name}.zkey`)),
    verificationKey: JSON.parse(readFileSync(join(folder, `${name}.vkey.json`), 'utf8')),
    inputs,
  };
}

/** The circuit `chain` over a curve that snarkjs has. */
export function chainOver(curve: CurveId): Promise<TestCircuit> {
  const name = CURVES[curve].snarkjs!.name;
  return testCircuit(name === 'bn128' ? 'chain' : `${name}/chain`);
}

/** The circuits for which snarkjs makes PLONK proofs; the last one is over BLS12-381. */
export const PLONK_CIRCUITS = ['chain', 'matrix', 'bls12381/chain'] as const;
/** The circuits that have a PLONK key. Without public signals, as in the first, snarkjs' prover fails. */
export const PLONK_KEYS = ['smallest', ...PLONK_CIRCUITS] as const;
/** The circuits that have an FFLONK key. */
export const FFLONK_CIRCUITS = ['smallest', 'chain'] as const;

/** A circuit with its PLONK key. */
export function plonkCircuit(name: (typeof PLONK_KEYS)[number]): Promise<TestCircuit<PlonkVerificationKey>> {
  return universalCircuit(name, 'plonk');
}

/** A circuit with its FFLONK key. */
export function fflonkCircuit(name: (typeof FFLONK_CIRCUITS)[number]): Promise<TestCircuit<FflonkVerificationKey>> {
  return universalCircuit(name, 'fflonk');
}

async function universalCircuit<VerificationKey>(
  name: CircuitName | `${string}/chain`,
  protocol: 'plonk' | 'fflonk',
): Promise<TestCircuit<VerificationKey>> {
  const folder = await circuitsFolder();
  return {
    wasm: readBytes(join(folder, `${name}.wasm`)),
    zkey: readBytes(join(folder, `${name}.${protocol}.zkey`)),
    verificationKey: JSON.parse(readFileSync(join(folder, `${name}.${protocol}.vkey.json`), 'utf8')),
    inputs: INPUTS[basename(name) as CircuitName],
  };
}

/** The witness of a circuit's inputs as snarkjs computes it, in its .wtns form. */
export async function snarkjsWitness({ wasm, inputs }: TestCircuit<unknown>): Promise<Uint8Array> {
  const snarkjs = await import('snarkjs');
  const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  await snarkjs.wtns.calculate(inputs, wasm, file);
  return file.data!;
}

/** Inputs as a file has them: numbers beyond JSON's as strings. */
export function inputJson(inputs: CircuitInputs): string {
  return JSON.stringify(inputs, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** A proof that snarkjs makes for a circuit's inputs. */
export async function snarkjsProof(circuit: TestCircuit): Promise<{ proof: Groth16Proof; publicSignals: string[] }> {
  const snarkjs = await import('snarkjs');
  const { proof, publicSignals } = await snarkjs.groth16.prove(circuit.zkey, await snarkjsWitness(circuit));
  return { proof: proof as Groth16Proof, publicSignals };
}

/** A PLONK proof that snarkjs makes for a circuit's inputs. */
export async function snarkjsPlonkProof(
  circuit: TestCircuit<PlonkVerificationKey>,
): Promise<{ proof: PlonkProof; publicSignals: string[] }> {
  const snarkjs = await import('snarkjs');
  const { proof, publicSignals } = await snarkjs.plonk.prove(circuit.zkey, await snarkjsWitness(circuit));
  return { proof: proof as PlonkProof, publicSignals };
}

/** An FFLONK proof that snarkjs makes for a circuit's inputs. */
export async function snarkjsFflonkProof(
  circuit: TestCircuit<FflonkVerificationKey>,
): Promise<{ proof: FflonkProof; publicSignals: string[] }> {
  const snarkjs = await import('snarkjs');
  const { proof, publicSignals } = await snarkjs.fflonk.prove(circuit.zkey, await snarkjsWitness(circuit));
  return { proof: proof as FflonkProof, publicSignals };
}

/** The witness WASM of a circuit. */
export async function witnessWasm(
  name: CircuitName | 'bus' | 'constant' | `${string}/chain`,
): Promise<WebAssembly.Module> {
  return WebAssembly.compile(readFileSync(join(await circuitsFolder(), `${name}.wasm`)));
}

/** The path of a file that was made with the circuits: `chain.r1cs`, `bls12381/chain.zkey`, `pot5.ptau`. */
export async function circuitFile(name: string): Promise<string> {
  return join(await circuitsFolder(), name);
}

/** Reads a file as a plain Uint8Array, because a slice of a Buffer shares its memory. */
function readBytes(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}

/**
 * The folder of the circuits. They are made first if they were not yet made from the present sources. On a machine
 * without circom (see `scripts/campaign.mjs`) it is the folder that was brought there.
 */
async function circuitsFolder(): Promise<string> {
  const parent = join(root, 'build', 'test-circuits');
  if (!existsSync(join(root, 'node_modules', 'circom2'))) return join(parent, onlyFolderIn(parent));
  const folder = join(parent, sourcesHash());
  mkdirSync(parent, { recursive: true });
  while (!existsSync(folder)) {
    const release = tryLock(`${folder}.lock`);
    if (release === undefined) {
      await delay(200);
      continue;
    }
    try {
      execFileSync(process.execPath, ['tests/support/make-circuits.mjs', folder], { cwd: root, stdio: 'pipe' });
    } finally {
      release();
    }
  }
  return folder;
}

function onlyFolderIn(parent: string): string {
  const [folder, ...others] = readdirSync(parent);
  if (folder !== undefined && others.length === 0) return folder;
  throw new Error(
    `expected one folder of circuits in ${parent}, got ${others.length + (folder === undefined ? 0 : 1)}`,
  );
}

/** A hash of the files on which the circuits and keys depend. */
function sourcesHash(): string {
  const circuits = readdirSync(join(root, 'tests', 'circuits')).sort();
  const files = [
    ...circuits.map((name) => join('tests', 'circuits', name)),
    'tests/support/make-circuits.mjs',
    'scripts/lib/trusted-setup.mjs',
    ...['circom2', 'circomlib', 'snarkjs'].map((name) => `node_modules/${name}/package.json`),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Takes the lock, because test files run in parallel processes and only one of them is to make the circuits. Returns
 * the function that releases the lock, or undefined if the lock was taken. Removes a lock whose owner has died, so that
 * the next try can take it.
 */
function tryLock(file: string): (() => void) | undefined {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return () => rmSync(file, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = ownerOf(file);
  if (owner !== undefined && !isAlive(owner)) rmSync(file, { force: true });
  return undefined;
}

/** The id of the process that has the lock; undefined while the lock is being taken or released. */
function ownerOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
