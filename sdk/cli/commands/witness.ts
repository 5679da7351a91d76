import { wipe } from '../../base/free-memory.js';
import { CURVES, SCALAR_BYTES } from '../../curves/index.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import { writeWtns } from '../../files/snarkjs/write-wtns.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../../hosts/prover/witness-limits.js';
import { calculateWitness } from '../calculate-witness.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS } from '../common-options.js';
import { expectOutputs } from '../expect-outputs.js';
import { readInputs, STANDARD } from '../files.js';
import { outputFile, required, usageError } from '../option.js';
import { MODE, writeOutput } from '../output-file.js';
import { rounded } from '../prover.js';
import { WITNESS_OPTIONS } from '../proving-options.js';
import { bytesText, msText } from '../text.js';

const { wasm, input, ...LIMITS } = WITNESS_OPTIONS;

export const witness = defineCommand({
  name: 'witness',
  topic: 'proofs',
  summary: "calculate a circuit's witness (.wtns) from its inputs",
  usage: '--wasm FILE --input FILE --out FILE [options]',
  options: {
    wasm: required(wasm),
    input: required(input),
    out: required(outputFile('.wtns', 'write the witness to this file')),
    ...LIMITS,
    ...DOWNLOAD_OPTIONS,
  },
  notes: [
    'The file is what snarkjs writes. It holds the secret inputs: a new file can be read by you alone. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin witness --wasm circuit.wasm --input input.json --out witness.wtns',
    'pippin witness --wasm circuit.wasm --input input.json --out - | pippin prove --zkey circuit.zkey --witness -',
  ],
  exits: { 0: 'done', 1: 'the inputs do not satisfy the circuit, or the work failed' },
  async work(values, context) {
    const { out, 'strict-inputs': strictInputs } = values;
    expectPipe(out, context.json);
    await expectOutputs({ out }, { wasm: values.wasm, input: values.input });
    const inputs = await readInputs(values.input, strictInputs, context);
    const start = performance.now();
    context.step('Calculating the witness');
    const request = {
      wasm: values.wasm,
      inputs,
      strictInputs,
      timeoutMs: values['witness-timeout'] ?? WITNESS_TIMEOUT_MS,
      memoryBytes: values['witness-memory'] ?? WITNESS_MEMORY_BYTES,
      maxBytes: values['max-bytes'] ?? MAX_CIRCUIT_BYTES,
    };
    const { curve, values: witnessValues } = await calculateWitness(request, context);
    const ms = rounded(performance.now() - start);
    const file = writeWtns(witnessValues, CURVES[curve].fr.modulus);
    context.end();
    await writeOutput(out, file, context, MODE.secret);
    const variables = witnessValues.length / SCALAR_BYTES;
    const result = { out, curve, variables, bytes: file.length, ms };
    wipe(witnessValues, file);
    if (out === STANDARD) return 0;
    await context.result(
      result,
      `${variables} values over ${curve} in ${msText(ms)}: ${out} (${bytesText(result.bytes)})`,
    );
    return 0;
  },
});

/** The bytes of a file on standard output are for another program, and nothing else comes with them. */
function expectPipe(out: string, json: boolean): void {
  if (out !== STANDARD) return;
  if (json) throw usageError('expected --out as a file with --json, got - for standard output, where the JSON goes');
  if (process.stdout.isTTY) {
    throw usageError('expected --out - with a pipe or a file as standard output, got a terminal', 'name a file');
  }
}
