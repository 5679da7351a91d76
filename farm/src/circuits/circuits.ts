import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { PippinError, type ProvingKey, type VerificationKeyJson } from 'pippin-prover';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import { ownMembers } from '../../../sdk/base/records.js';
import { checkedCircuitId } from '../queue/names.js';
import type { CircuitInfo } from '../queue/types.js';
import { type CircuitFile, type LocatedFile, locateFile, readChecked } from './circuit-file.js';
import { variablesOf } from './witness-values.js';

/** The registration of a circuit, once for all its jobs. */
export interface CircuitRegistration {
  /** 1 to 64 of the characters A-Z a-z 0-9 _ and -. */
  readonly id: string;
  /** The proving key. */
  readonly zkey: CircuitFile;
  /**
   * The circuit's witness WASM. Without it jobs must hold a witness.
   *
   * @defaultValue none
   */
  readonly wasm?: CircuitFile;
  /** The verification key in snarkjs' JSON form. Every proof is verified against it before it is returned. */
  readonly verificationKey: CircuitFile;
}

/** A registered circuit, with data read from its files. Plain data, which is sent to the worker processes. */
export interface RegisteredCircuit {
  /** The description for callers of the queue. */
  readonly info: CircuitInfo;
  /** The proving key. */
  readonly zkey: LocatedFile;
  /** The circuit's witness WASM, where it was registered. */
  readonly wasm: LocatedFile | undefined;
  /** Against which every proof is verified. */
  readonly verificationKey: VerificationKeyJson;
}

/**
 * Reads registrations. Files given as paths are hashed, and verification keys are read, so that a wrong file is found
 * before a job comes; keys and WASM at URLs are only queried, and checked when a worker loads them.
 *
 * @param circuits a list, or the path of a JSON file that holds one.
 * @returns plain data, for `ProofWorker.start`, `Farm.start` and, by its `info`, `ProofQueue.open`.
 * @throws {PippinError} INVALID_ARGUMENT for a registration that is incomplete.
 * @throws {PippinError} IO_FAILED for a file that cannot be read.
 * @throws {PippinError} KEY_MISMATCH for a file of another SHA-256.
 * @throws {PippinError} MALFORMED_FILE for an invalid verification key, or an invalid list in a file.
 * @example
 * ```js run
 * import { createHash } from 'node:crypto';
 * import { readFile } from 'node:fs/promises';
 * import { readCircuits } from 'pippin-farm';
 *
 * const file = async (source) => ({
 *   source,
 *   sha256: createHash('sha256').update(await readFile(source)).digest('hex'),
 * });
 * const [note] = await readCircuits([
 *   {
 *     id: 'note',
 *     zkey: await file('note.zkey'),
 *     wasm: await file('note.wasm'),
 *     verificationKey: await file('note.vkey.json'),
 *   },
 * ]);
 * console.log(note.info);
 * ```
 */
export async function readCircuits(
  circuits: readonly CircuitRegistration[] | string,
): Promise<readonly RegisteredCircuit[]> {
  const folder = typeof circuits === 'string' ? dirname(resolve(circuits)) : process.cwd();
  const list: unknown = typeof circuits === 'string' ? await readList(circuits) : circuits;
  if (!Array.isArray(list) || list.length === 0) {
    throw new PippinError('INVALID_ARGUMENT', 'expected circuits as a list of at least one circuit, got another value');
  }
  const registered = await Promise.all(list.map((circuit) => readCircuit(circuit, folder)));
  const ids = registered.map(({ info }) => info.id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice === undefined) return registered;
  throw new PippinError('INVALID_ARGUMENT', `expected circuits with different ids, got ${twice} twice`);
}

async function readCircuit(circuit: unknown, folder: string): Promise<RegisteredCircuit> {
  const reader = new OptionReader(circuit, 'a circuit');
  const id = checkedCircuitId(reader.read('id'));
  const [zkey, wasm, verificationKey] = ['zkey', 'wasm', 'verificationKey'].map((name) => reader.read(name));
  reader.expectNoOthers();
  const [located, locatedWasm, key] = await Promise.all([
    locateFile(zkey, `zkey of ${id}`, folder),
    wasm === undefined ? undefined : locateFile(wasm, `wasm of ${id}`, folder),
    readVerificationKey(verificationKey, `verificationKey of ${id}`, folder),
  ]);
  const variables = await variablesOf(located, `zkey of ${id}`);
  const { curve, nPublic } = key;
  const info = {
    id,
    keySha256: located.sha256,
    curve,
    publicSignals: nPublic,
    ...(variables !== undefined && { variables }),
    takesInputs: locatedWasm !== undefined,
  };
  return { info, zkey: located, wasm: locatedWasm, verificationKey: key };
}

/** The proof systems whose keys a farm may have. */
const PROTOCOLS: readonly unknown[] = ['groth16', 'plonk', 'fflonk'] satisfies ProvingKey['protocol'][];

async function readVerificationKey(file: unknown, what: string, folder: string): Promise<VerificationKeyJson> {
  const key = ownMembers(parsed(await readChecked(file, what, folder)));
  if (typeof key.curve === 'string' && Number.isSafeInteger(key.nPublic) && PROTOCOLS.includes(key.protocol)) {
    return key as unknown as VerificationKeyJson;
  }
  throw new PippinError('MALFORMED_FILE', `expected the ${what} in snarkjs' JSON form, got something else`);
}

async function readList(path: string): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new PippinError('IO_FAILED', `expected to read the list of circuits from ${path}, got an error`, { cause });
  }
  const list = parsed(bytes);
  if (Array.isArray(list)) return list;
  throw new PippinError('MALFORMED_FILE', `expected a list of circuits as JSON in ${path}, got something else`);
}

/** Parses JSON; undefined for anything else. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
