import type { BinarySource, Circuit, CircuitLoadOptions, Prover, Report } from '../../api/index.js';
import { loadPart } from '../../base/load-part.js';
import { OptionReader } from '../../base/option-reader.js';
import type { CircuitDescription, ExpectedKey, WitnessRequest } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { hasSecondPhase, type Protocol } from '../../proofs/parts.js';
import { canShareMemory } from '../../transport/shared-bytes.js';
import { type DescribeLocation, describeKey, describeSource, isBytes, maxBytesOf, sha256Of } from './caller-source.js';
import { type EngineCalls, type Work, withItsBytes } from './engine-calls.js';
import { isLoaded, loadedOf, noteLoaded, releaseLoaded } from './loaded-things.js';
import { keyTuning } from './tuning-options.js';
import { OF_CIRCUITS, witnessMemory, witnessTimeout } from './witness-limits.js';

/** The most names that are read: far more than any circuit has inputs. */
const MOST_NAMES = 2 ** 16;

/** What a circuit's file is called in messages. */
const CIRCUIT_FILE = "a circuit's WASM";

/**
 * The code of calls besides single proofs. `IO_FAILED` if its script cannot be loaded.
 *
 * @param what the part of it that is needed, for the message.
 */
export function loadBeyondProofs(what: string): Promise<typeof import('./beyond-proofs.js')> {
  return loadPart(what, () => import('./beyond-proofs.js'));
}

/** Loads a circuit as the API's `loadCircuit` says. */
async function requestCircuit(
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
  const call = calls.begin('loadCircuit', reader);
  const source = describeSource(wasm, CIRCUIT_FILE, describeLocation, isMoved);
  const request = withItsBytes({ wasm: source, sha256, maxBytes, memoryBytes, inputs }, source);
  const { handle, report } = await calls.load(call, (engine, number) => engine.loadCircuit(number, request));
  const circuit: Circuit = { report, dispose: () => releaseLoaded(circuit) };
  noteLoaded(circuit, { calls, kind: 'circuit', handle });
  return circuit;
}

/** A circuit as the engine knows it: a loaded one, or where its WASM is. */
function describeCircuit(
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

/** The byte at which the values of a .wtns begin, as circom and snarkjs write it. */
const WTNS_VALUES = 76;

/** What to do about `fullProve(inputs, wasm, zkey)`. */
const SNARKJS_HINT = "this is snarkjs' order: here it is fullProve(await loadKey(zkey), inputs, wasm)";

/** See `loadKey` of each proof system, and, without a protocol, of the prover. */
export async function requestKey(
  protocol: Protocol | undefined,
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  zkey: BinarySource | readonly BinarySource[],
  options: object | undefined,
): Promise<KeyOfCaller> {
  const reader = new OptionReader(options, 'the options of loadKey');
  const tuning = keyTuning(reader);
  const expected = {
    sha256: sha256Of(reader),
    maxBytes: maxBytesOf(reader),
    ...expectedOf(protocol, reader),
    verificationKey: plainJson(reader.read('verificationKey'), 'a verification key'),
  };
  const isMoved = reader.flag('transfer', false);
  const call = calls.begin('loadKey', reader);
  const source = describeKey(zkey, describeLocation, isMoved);
  const {
    handle,
    protocol: found,
    description,
    report,
  } = await calls.load(call, (engine, number) =>
    engine.loadKey(number, protocol, withItsBytes(source, source), tuning, expected),
  );
  const key: KeyOfCaller = { protocol: found, ...description, report, dispose: () => releaseLoaded(key) };
  noteLoaded(key, { calls, kind: 'key', handle, protocol: found });
  return key;
}

/** What the caller says about a key, which may be of any proof system if none is given. */
function expectedOf(protocol: Protocol | undefined, reader: OptionReader): ExpectedKey {
  return protocol === undefined || hasSecondPhase(protocol)
    ? { allowUnfinished: reader.flag('allowUnfinished', false) }
    : {};
}

/** What every proof system's key has; the rest is its description. */
export interface KeyOfCaller {
  readonly protocol: Protocol;
  readonly report: Report;
  dispose(): Promise<void>;
}

/**
 * The member of a prover for a proof system. All have the same methods, each for its keys and proofs.
 *
 * @param constantByDefault what `constantWork` is for calls that do not say it.
 */
export function proofSystemOf<P extends Protocol>(
  protocol: P,
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  constantByDefault: boolean,
): Prover[P] {
  /**
   * @param requestOf called when everything else has been checked.
   * @param witness its bytes in the caller's memory, where the engine may share a copy of them.
   */
  const prove = async (
    name: 'prove' | 'fullProve',
    key: KeyOfCaller,
    options: OptionReader,
    requestOf: (maxBytes: number | undefined) => WitnessRequest,
    witness?: Uint8Array,
  ): Promise<object> => {
    const { handle } = loadedOf(calls, key, 'key', protocol);
    const verify = options.flag('verify', true);
    const constantWork = options.flag('constantWork', constantByDefault);
    const maxBytes = maxBytesOf(options);
    const call = calls.begin(name, options, OF_CIRCUITS);
    const proveBy =
      (request: WitnessRequest): Work<object> =>
      (engine, number) =>
        engine.prove(number, handle, request, verify, constantWork);
    if (witness !== undefined) {
      const proveOf = (bytes: Uint8Array) => proveBy({ kind: 'file', source: { kind: 'bytes', bytes } });
      return calls.runShared(call, witness, proveOf, WTNS_VALUES);
    }
    const plain = requestOf(maxBytes);
    return calls.run(call, proveBy(withItsBytes(plain, plain.kind === 'file' ? plain.source : plain.wasm)));
  };

  const system = {
    loadKey: (zkey: BinarySource | readonly BinarySource[], options?: object) =>
      requestKey(protocol, calls, describeLocation, zkey, options),
    loadCircuit: (wasm: BinarySource, options?: CircuitLoadOptions) =>
      requestCircuit(calls, describeLocation, wasm, options),
    prove: async (key: KeyOfCaller, witness: BinarySource, options?: object) =>
      prove(
        'prove',
        key,
        new OptionReader(options, 'the options of prove'),
        (maxBytes) => ({ kind: 'file', source: describeSource(witness, 'a witness', describeLocation), maxBytes }),
        canShareMemory && isBytes(witness) ? witness : undefined,
      ),
    fullProve: async (key: KeyOfCaller, inputs: object, circuit: BinarySource | Circuit, options?: object) => {
      const reader = new OptionReader(options, 'the options of fullProve');
      const limits = {
        strictInputs: reader.flag('strictInputs', false),
        timeoutMs: witnessTimeout(reader),
        memoryBytes: witnessMemory(reader),
        exchangeArithmetic: reader.flag('exchangeArithmetic', true),
      };
      const plain = plainInputs(inputs, isLoaded(key) ? undefined : SNARKJS_HINT);
      return prove('fullProve', key, reader, (maxBytes) => ({
        kind: 'inputs',
        inputs: plain,
        wasm: describeCircuit(calls, describeLocation, circuit),
        maxBytes,
        ...limits,
      }));
    },
    verify: async (givenKey: unknown, givenSignals: unknown, givenProof: unknown, options?: object) => {
      const reader = new OptionReader(options, 'the options of verify');
      const expected = expectedOf(protocol, reader);
      const call = calls.begin('verify', reader);
      const verificationKey = plainJson(givenKey, 'a verification key');
      const publicSignals = plainJson(givenSignals, 'public signals');
      const proof = plainJson(givenProof, 'a proof');
      return calls.run(call, (engine, number) =>
        engine.verify(number, protocol, { verificationKey, publicSignals, proof }, expected),
      );
    },
    verifyBatch: async (verificationKey: unknown, proofs: unknown, options?: object) => {
      const reader = new OptionReader(options, 'the options of verifyBatch');
      const { requestBatch } = await loadBeyondProofs('batches of proofs');
      return requestBatch(calls, { protocol, verificationKey, proofs }, expectedOf(protocol, reader), reader);
    },
  };
  // Which types its keys and proofs have follows from the protocol.
  return system as unknown as Prover[P];
}

/** The caller's JSON as plain data for the engine. `MALFORMED_FILE` for other values. */
function plainJson(value: unknown, whole: string): unknown {
  return plainCopy(value, { code: 'MALFORMED_FILE', whole, single: 'JSON' });
}
