import type { CircuitInputs } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { type FilePlatform, type ReadOptions, readSource } from '../../encodings/read-source.js';
import { witnessHost } from '../../engine/witness/witness-host.js';
import { WitnessWorkers } from '../../engine/witness/witness-workers.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import { readWtnsValues } from '../../files/snarkjs/wtns.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { compileCircuit } from '../../files/witness/compile-circuit.js';
import { exposeMethods } from '../../transport/remote.js';
import { assetPlaces } from '../prover/asset-places.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../prover/witness-limits.js';
import type { AliasPlatform } from './alias-platform.js';
import type { AliasOptions, InputFile, OutputFile } from './api.js';
import { type Names, sourceOf, writeTo } from './files.js';

/**
 * `wtns.calculate` of snarkjs. The circuit's code runs in a worker, which is ended after `witnessTimeout`; with
 * `threads: 0` it runs on the caller's thread.
 */
export async function calculate(
  platform: AliasPlatform,
  options: AliasOptions,
  inputs: CircuitInputs,
  wasm: InputFile,
  wtns: OutputFile,
): Promise<void> {
  const { witnessTimeout = WITNESS_TIMEOUT_MS, witnessMemory = WITNESS_MEMORY_BYTES } = options;
  const { maxBytes = MAX_CIRCUIT_BYTES, prover = {} } = options;
  const plain = plainInputs(inputs);
  const what = "a circuit's WASM";
  const source = sourceOf(platform, wasm, what);
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

/** `wtns.exportJson` of snarkjs. */
export function wtnsJson(platform: FilePlatform & Names, options: ReadOptions, file: InputFile): Promise<bigint[]> {
  const what = 'a witness';
  return readSource(platform, sourceOf(platform, file, what), what, options, readWtnsValues);
}

function witnessHere({ connectHere }: AliasPlatform): ReturnType<AliasPlatform['connectHere']> {
  return connectHere(({ endpoint, emit }) => exposeMethods(witnessHost(emit), endpoint));
}
