import type { CircuitInputs } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { readSource } from '../../encodings/read-source.js';
import { WitnessWorkers } from '../../engine/witness/witness-workers.js';
import { MAX_CIRCUIT_BYTES } from '../../files/downloads.js';
import { KEY_CURVE_NAMES, KEY_CURVES } from '../../files/snarkjs/known-curves.js';
import { writeWtns } from '../../files/snarkjs/write-wtns.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { compileCircuit } from '../../files/witness/compile-circuit.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { nodeFiles } from '../../hosts/node/node-files.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../../hosts/prover/witness-limits.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS } from '../common-options.js';
import type { Context } from '../context.js';
import { expectOutputs } from '../expect-outputs.js';
import { readInputs, STANDARD } from '../files.js';
import { outputFile, required, usageError } from '../option.js';
import { MODE, writeOutput } from '../output-file.js';
import { rounded } from '../prover.js';
import { WITNESS_OPTIONS } from '../proving-options.js';
import { bytesText, msText } from '../text.js';

const { wasm, input, 'no-exchange-arithmetic': _, ...LIMITS } = WITNESS_OPTIONS;

export const witnessCommand = defineCommand({
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
    const { curve, values: witnessValues } = await valuesOf(request, context);
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

/** What a circuit's WASM gets, and may take. */
interface WitnessRequest {
  /** A path or URL. */
  readonly wasm: string;
  readonly inputs: CircuitInputs;
  readonly strictInputs: boolean;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** The most bytes that are downloaded of the WASM. */
  readonly maxBytes: number;
}

interface Witness {
  readonly curve: CurveId;
  /** 32 canonical bytes a value. */
  readonly values: Uint8Array;
}

/**
 * A circuit's witness, computed in a worker without a prover. Rejects like `fullProve`; `CURVE_MISMATCH` for an unknown
 * field.
 */
async function valuesOf(request: WitnessRequest, context: Context): Promise<Witness> {
  const { wasm, memoryBytes, maxBytes, timeoutMs, strictInputs } = request;
  const inputs = plainInputs(request.inputs);
  const reading = { signal: context.signal, maxBytes };
  const bytes = await readSource(nodeFiles, wasm, "the circuit's WASM", reading, (file) => file.read(0, file.size));
  const module = await compileCircuit(bytes, memoryBytes);
  const workers = new WitnessWorkers(() => nodeEnginePlatform.spawnWitness({}));
  try {
    // The circuit knows its field, and says so before it computes anything.
    for (const { id: curve } of KEY_CURVES) {
      const task = { module, inputs, curve, strictInputs, variables: undefined, memoryBytes, inputNames: [] };
      const onLog = (line: string): void => context.note(`CIRCUIT_LOG: ${line}`);
      try {
        return { curve, values: await workers.calculate(task, context.signal, timeoutMs, onLog) };
      } catch (error) {
        if (!(error instanceof PippinError) || error.code !== 'CURVE_MISMATCH') throw error;
      }
    }
  } finally {
    workers.dispose();
  }
  throw new PippinError('CURVE_MISMATCH', `expected a circuit over ${KEY_CURVE_NAMES}, got one over another field`, {
    hint: 'compile it with circom --prime bn128',
  });
}
