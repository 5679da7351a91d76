import type { CircuitInputs } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { readSource } from '../../encodings/read-source.js';
import { witnessHost } from '../../engine/witness/witness-host.js';
import { WitnessWorkers } from '../../engine/witness/witness-workers.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import { readWtnsValues } from '../../files/snarkjs/wtns.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { compileCircuit } from '../../files/witness/compile-circuit.js';
import { exposeMethods } from '../../transport/remote.js';
import { assetPlaces } from '../prover/asset-places.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../prover/witness-limits.js';
import type { InputFile, OutputFile } from './api.js';
import { type AliasContext, type AliasPlatform, missingCalls } from './context.js';
import { writeTo } from './files.js';

/** The namespace `wtns`. */
export function wtnsCalls(context: AliasContext) {
  return {
    /**
     * Computes a witness and writes it, as `wtns.calculate` of snarkjs.
     *
     * @param inputs the circuit's input signals by name.
     * @param wasm the circuit's WASM.
     * @param wtns where the `.wtns` file is written: a path, or an object `{ type: 'mem' }`, whose `data` it becomes.
     * @returns when it is written.
     * @throws {PippinError} IO_FAILED when a file cannot be read or written.
     * @throws {PippinError} INVALID_INPUT for an input that is missing, unknown or not a number.
     * @throws {PippinError} WITNESS_REJECTED when one of the circuit's own checks fails.
     * @throws {PippinError} WITNESS_FAILED when the WASM traps or exceeds `witnessTimeout`.
     * @throws {PippinError} UNSUPPORTED_FORMAT when the file is not a circuit's WASM.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { wtns } from 'pippin-prover/snarkjs';
     *
     * const inputs = JSON.parse(await readFile('input.json', 'utf8'));
     * await wtns.calculate(inputs, 'note.wasm', 'note.wtns');
     * console.log('the witness is in note.wtns');
     * ```
     */
    calculate: (inputs: CircuitInputs, wasm: InputFile, wtns: OutputFile, _options?: unknown): Promise<void> =>
      calculate(context, inputs, wasm, wtns),
    /**
     * The values of a witness, as `wtns.exportJson` of snarkjs. They are secret.
     *
     * @param wtns the `.wtns` file, over any field.
     * @returns the values, from 0 to r - 1: the constant one, the public signals, then all others.
     * @throws {PippinError} IO_FAILED when the file cannot be read.
     * @throws {PippinError} DOWNLOAD_TOO_LARGE when its download exceeds `maxBytes`.
     * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
     * @throws {PippinError} UNSUPPORTED_FORMAT for another version.
     * @throws {PippinError} INVALID_SCALAR for a value that is not below r.
     * @example
     * ```js run
     * import { readFile } from 'node:fs/promises';
     * import { wtns } from 'pippin-prover/snarkjs';
     *
     * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'exported.wtns');
     * const values = await wtns.exportJson('exported.wtns');
     * console.log(values.length, values[0]);
     * ```
     */
    exportJson: async (wtns: InputFile): Promise<bigint[]> => context.read(wtns, 'a witness', readWtnsValues),
    ...missingCalls('wtns', ['debug', 'check']),
  };
}

/**
 * The circuit's code runs in a worker, which is ended after `witnessTimeout`; with
 * `threads: 0` it runs on the caller's thread.
 */
async function calculate(
  context: AliasContext,
  inputs: CircuitInputs,
  wasm: InputFile,
  wtns: OutputFile,
): Promise<void> {
  const { platform, configured } = context;
  const { witnessTimeout = WITNESS_TIMEOUT_MS, witnessMemory = WITNESS_MEMORY_BYTES } = configured;
  const { maxBytes = MAX_CIRCUIT_BYTES, prover = {} } = configured;
  const plain = plainInputs(inputs);
  const what = "a circuit's WASM";
  const source = context.sourceOf(wasm, what);
  const code = await readSource(platform, source, what, { maxBytes }, (file) => file.read(0, file.size));
  const module = await compileCircuit(code, witnessMemory);
  const places = assetPlaces(new OptionReader(prover, 'the options of the prover'), platform.locate);
  const workers = new WitnessWorkers(() =>
    prover.threads === 0 ? witnessHere(platform) : platform.spawnWitness(places),
  );
  const task = {
    module,
    inputs: plain,
    curve: undefined,
    strictInputs: false,
    variables: undefined,
    memoryBytes: witnessMemory,
    inputNames: [],
  };
  try {
    const { signal } = new AbortController();
    const bytes = await workers.calculate(task, signal, witnessTimeout, (line) => console.log(line));
    await writeTo(wtns, bytes, platform.writeFile);
  } finally {
    workers.dispose();
  }
}

function witnessHere({ connectHere }: AliasPlatform): ReturnType<AliasPlatform['connectHere']> {
  return connectHere(({ endpoint, emit }) => exposeMethods(witnessHost(emit), endpoint));
}
