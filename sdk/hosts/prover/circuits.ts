import type { BinarySource, Circuit, CircuitLoadOptions } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import type { CircuitDescription } from '../../engine/engine-api.js';
import { type DescribeLocation, describeSource, maxBytesOf } from './caller-source.js';
import type { EngineCalls } from './engine-calls.js';
import { inputNames } from './input-names.js';
import { isLoaded, loadedOf, noteLoaded, releaseLoaded } from './loaded-things.js';
import { sha256Of } from './sha256-option.js';
import { withItsBytes } from './source-bytes.js';
import { witnessMemory } from './witness-limits.js';

/** What a circuit's file is called in messages. */
const CIRCUIT_FILE = "a circuit's WASM";

/** See `Groth16.loadCircuit`. */
export async function loadCircuit(
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
