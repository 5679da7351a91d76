import type { Groth16, Groth16Key, ProveResult } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import type { WitnessRequest } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { type DescribeLocation, describeSource, maxBytesOf } from './caller-source.js';
import { describeCircuit, loadCircuit } from './circuits.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { loadKey } from './load-key.js';
import { isLoaded, loadedOf } from './loaded-things.js';
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
    loadKey: async (zkey, options) => loadKey(calls, describeLocation, zkey, options),
    loadCircuit: async (wasm, options) => loadCircuit(calls, describeLocation, wasm, options),
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
    verify: async (givenKey, givenSignals, givenProof, options) => {
      const reader = new OptionReader(options, 'the options of verify');
      const allowUnfinished = reader.flag('allowUnfinished', false);
      const call = calls.begin(reader);
      const [verificationKey, publicSignals, proof] = (
        [
          [givenKey, 'a verification key'],
          [givenSignals, 'public signals'],
          [givenProof, 'a proof'],
        ] as const
      ).map(([json, whole]) => plainCopy(json, { code: 'MALFORMED_FILE', whole, single: 'JSON' }));
      return calls.run(call, (engine, number) =>
        engine.verify(number, 'groth16', { verificationKey, publicSignals, proof }, { allowUnfinished }),
      );
    },
  };
}
