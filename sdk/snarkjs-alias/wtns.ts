import type { CircuitInputs } from '../api.js';
import { readSource } from '../encodings/read-source.js';
import { boundedModule } from '../snarkjs/bounded-module.js';
import { plainInputs } from '../snarkjs/circuit-inputs.js';
import { compileCircuit } from '../snarkjs/compile-circuit.js';
import { calculateWtns } from '../snarkjs/witness-calculator.js';
import type { AliasPlatform } from './alias-platform.js';
import { type InputFile, type OutputFile, sourceOf, writeTo } from './files.js';

/** The most that a memory of WebAssembly can have: snarkjs does not bound it. */
const MEMORY_BYTES = 2 ** 32;

/** `wtns.calculate` of snarkjs. As there, the circuit's code runs on the caller's thread. Options are accepted and not needed. */
export async function calculate(
  platform: AliasPlatform,
  inputs: CircuitInputs,
  wasm: InputFile,
  wtns: OutputFile,
): Promise<void> {
  const plain = plainInputs(inputs);
  const what = "a circuit's WASM";
  const code = await readSource(platform, sourceOf(wasm, what), what, {}, (file) => file.read(0, file.size));
  const module = await compileCircuit(boundedModule(code, MEMORY_BYTES));
  const bytes = await calculateWtns(module, plain, { onLog: (line) => console.log(line), memoryBytes: MEMORY_BYTES });
  await writeTo(wtns, bytes, platform.writeFile);
}
