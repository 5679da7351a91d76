import type { BinarySource, Groth16, Groth16Key, KeyLoadOptions, ProveResult } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import type { WitnessRequest } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { type DescribeLocation, describeKey, describeSource, maxBytesOf, sha256Of } from './caller-source.js';
import { describeCircuit, requestCircuit } from './circuits.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { isLoaded, loadedOf, noteLoaded, releaseLoaded } from './loaded-things.js';
import { keyTuning } from './tuning-options.js';
import { OF_CIRCUITS, witnessMemory, witnessTimeout } from './witness-limits.js';

/** What to do about `fullProve(inputs, wasm, zkey)`. */
const SNARKJS_HINT = "this is snarkjs' order: here it is fullProve(await loadKey(zkey), inputs, wasm)";

/** `Prover.groth16`. @param constantByDefault what `constantWork` is for calls that do not say it. */
export function groth16Of(calls: EngineCalls, describeLocation: DescribeLocation, constantByDefault: boolean): Groth16 {
  /** @param requestOf called when everything else has been checked. */
  const prove = async (
    key: Groth16Key,
    options: OptionReader,
    requestOf: (maxBytes: number | undefined) => WitnessRequest,
  ): Promise<ProveResult> => {
    const { handle } = loadedOf(calls, key, 'key');
    const verify = options.flag('verify', true);
    const constantWork = options.flag('constantWork', constantByDefault);
    const maxBytes = maxBytesOf(options);
    const call = calls.begin(options, OF_CIRCUITS);
    const plain = requestOf(maxBytes);
    const request = withItsBytes(plain, plain.kind === 'file' ? plain.source : plain.wasm);
    const made = await calls.run(call, (engine, number) => engine.prove(number, handle, request, verify, constantWork));
    return made as ProveResult;
  };

  return {
    loadKey: async (zkey, options) => requestKey(calls, describeLocation, zkey, options),
    loadCircuit: async (wasm, options) => requestCircuit(calls, describeLocation, wasm, options),
    prove: async (key, witness, options) =>
      prove(key, new OptionReader(options, 'the options of prove'), (maxBytes) => ({
        kind: 'file',
        source: describeSource(witness, 'a witness', describeLocation),
        maxBytes,
      })),
    fullProve: async (key, inputs, circuit, options) => {
      const reader = new OptionReader(options, 'the options of fullProve');
      const limits = {
        strictInputs: reader.flag('strictInputs', false),
        timeoutMs: witnessTimeout(reader),
        memoryBytes: witnessMemory(reader),
      };
      const plain = plainInputs(inputs, isLoaded(key) ? undefined : SNARKJS_HINT);
      return prove(key, reader, (maxBytes) => ({
        kind: 'inputs',
        inputs: plain,
        wasm: describeCircuit(calls, describeLocation, circuit),
        maxBytes,
        ...limits,
      }));
    },
    verify: async (verificationKey, publicSignals, proof, options) => {
      const reader = new OptionReader(options, 'the options of verify');
      const allowUnfinished = reader.flag('allowUnfinished', false);
      const call = calls.begin(reader);
      const [keyJson, signalsJson, proofJson] = (
        [
          [verificationKey, 'a verification key'],
          [publicSignals, 'public signals'],
          [proof, 'a proof'],
        ] as const
      ).map(([json, whole]) => plainCopy(json, { code: 'MALFORMED_FILE', whole, single: 'JSON' }));
      return calls.run(call, (engine, number) =>
        engine.verify(number, 'groth16', keyJson, signalsJson, proofJson, allowUnfinished),
      );
    },
  };
}

/** See `Groth16.loadKey`. */
async function requestKey(
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  zkey: BinarySource | readonly BinarySource[],
  options: KeyLoadOptions | undefined,
): Promise<Groth16Key> {
  const reader = new OptionReader(options, 'the options of loadKey');
  const tuning = keyTuning(reader);
  const form = { code: 'MALFORMED_FILE', whole: 'a verification key', single: 'JSON' } as const;
  const expected = {
    sha256: sha256Of(reader),
    maxBytes: maxBytesOf(reader),
    allowUnfinished: reader.flag('allowUnfinished', false),
    verificationKey: plainCopy(reader.read('verificationKey'), form),
  };
  const isMoved = reader.flag('transfer', false);
  const call = calls.begin(reader);
  const source = describeKey(zkey, describeLocation, isMoved);
  const { handle, description, report } = await calls.load(call, (engine, number) =>
    engine.loadKey(number, 'groth16', withItsBytes(source, source), tuning, expected),
  );
  const facts = description as Omit<Groth16Key, 'report' | 'dispose'>;
  const key: Groth16Key = { ...facts, report, dispose: () => releaseLoaded(key) };
  noteLoaded(key, { calls, kind: 'key', handle });
  return key;
}
