import type { CircuitInputs } from '../api.js';
import { readSource } from '../encodings/read-source.js';
import { plainInputs } from '../snarkjs/circuit-inputs.js';
import { compileCircuit } from '../snarkjs/compile-circuit.js';
import { calculateWtns } from '../snarkjs/witness-calculator.js';
import { MAX_MEMORY_BYTES } from '../witness-limits.js';
import type { AliasPlatform } from './alias-platform.js';
import { type InputFile, type OutputFile, sourceOf, writeTo } from './files.js';

/** `wtns.calculate` of snarkjs. As there, the circuit's code runs on the caller's thread. Options are accepted and not needed. */
export async function calculate(
  platform: AliasPlatform,
  inputs: CircuitInputs,
  wasm: InputFile,
  wtns: OutputFile,
): Promise<void> {
  const plain = plainInputs(inputs);
  const what = "a circuit's WASM";
  const code = await readSource(platform, sourceOf(platform, wasm, what), what, {}, (file) => file.read(0, file.size));
  // snarkjs does not bound it.
  const memoryBytes = MAX_MEMORY_BYTES;
  const module = await compileCircuit(code, memoryBytes);
  const bytes = await calculateWtns(module, plain, { onLog: (line) => console.log(line), memoryBytes });
  await writeTo(wtns, bytes, platform.writeFile);
}
