import type { BinarySource, Circuit, CircuitLoadOptions } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import type { CircuitDescription } from '../../engine/engine-api.js';
import { type DescribeLocation, describeSource, maxBytesOf, sha256Of } from './caller-source.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { isLoaded, loadedOf, noteLoaded, releaseLoaded } from './loaded-things.js';
import { witnessMemory } from './witness-limits.js';

/** The most names that are read: far more than any circuit has inputs. */
const MOST_NAMES = 2 ** 16;

/** What a circuit's file is called in messages. */
const CIRCUIT_FILE = "a circuit's WASM";

/** Loads a circuit as the API's `loadCircuit` says. */
export async function requestCircuit(
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  wasm: BinarySource,
  options: CircuitLoadOptions | undefined,
): Promise<Circuit> {
  const reader = new OptionReader(options, 'the options of loadCircuit');
  const sha256 = sha256Of(reader);
  const maxBytes = maxBytesOf(reader);
  const memoryBytes = witnessMemory(reader);
  const inputs = inputNames(reader);
  const isMoved = reader.flag('transfer', false);
  const call = calls.begin(reader);
  const source = describeSource(wasm, CIRCUIT_FILE, describeLocation, isMoved);
  const request = withItsBytes({ wasm: source, sha256, maxBytes, memoryBytes, inputs }, source);
  const { handle, report } = await calls.load(call, (engine, number) => engine.loadCircuit(number, request));
  const circuit: Circuit = { report, dispose: () => releaseLoaded(circuit) };
  noteLoaded(circuit, { calls, kind: 'circuit', handle });
  return circuit;
}

/** A circuit as the engine knows it: a loaded one, or where its WASM is. */
export function describeCircuit(
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  circuit: Circuit | BinarySource,
): CircuitDescription {
  return isLoaded(circuit)
    ? { kind: 'circuit', handle: loadedOf(calls, circuit, 'circuit').handle }
    : describeSource(circuit as BinarySource, CIRCUIT_FILE, describeLocation);
}

/** Reads `inputs` of `CircuitLoadOptions`: the names of a circuit's inputs, none if they are left out. */
function inputNames(options: OptionReader): readonly string[] {
  const given = options.read('inputs') ?? [];
  if (!Array.isArray(given) || given.length > MOST_NAMES) {
    throw options.wrong('inputs', `a list of at most ${MOST_NAMES} names`, given);
  }
  const names: unknown[] = Array.from(given);
  if (!names.every((name) => typeof name === 'string')) throw options.wrong('inputs', 'a list of names', given);
  return names;
}
