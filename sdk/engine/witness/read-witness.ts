import { PippinError, withoutUrlSecrets } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import type { CurveId } from '../../curves/index.js';
import type { SourceDescription } from '../../files/byte-source.js';
import { Downloads, MAX_CIRCUIT_BYTES, MAX_WITNESS_BYTES } from '../../files/downloads.js';
import { checkedWitness } from '../../files/snarkjs/witness-values.js';
import { readWtns } from '../../files/snarkjs/wtns.js';
import { compileCircuit } from '../../files/witness/compile-circuit.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import type { WitnessRequest } from '../engine-api.js';
import { downloading } from '../sources.js';
import type { LoadedCircuit } from './circuit.js';

/**
 * The witness's values, 32 canonical bytes each, from a .wtns file or from a circuit's inputs.
 *
 * @param key the curve of the key that takes the witness, and the number of values that its witnesses have.
 * @param circuitOf the circuit of a handle.
 */
export async function readWitness(
  context: EngineContext,
  call: Call,
  request: WitnessRequest,
  key: { readonly curve: CurveId; readonly variables: number },
  circuitOf: (handle: number) => LoadedCircuit,
): Promise<Uint8Array> {
  const { curve, variables } = key;
  if (request.kind === 'file') {
    const { source, maxBytes = MAX_WITNESS_BYTES } = request;
    return call.span('read', 'host', () =>
      withoutPlace(source, () =>
        context.sources.readOnce(source, downloading(new Downloads(maxBytes), call.signal), (file) =>
          readWtns(file, curve, variables),
        ),
      ),
    );
  }
  const { inputs, wasm, maxBytes, strictInputs, timeoutMs, memoryBytes } = request;
  const circuit = wasm.kind === 'circuit' ? circuitOf(wasm.handle) : await readCircuit(context, call, wasm, maxBytes);
  return call.span('witness', 'wasm', async () => {
    const module = await circuit.module(memoryBytes);
    const inputNames = [...circuit.inputs];
    const task = { module, inputs, curve, strictInputs, variables, memoryBytes, inputNames };
    const onLog = (line: string): void => call.notice('CIRCUIT_LOG', line);
    const witness = await context.witnesses.calculate(task, call.signal, timeoutMs, onLog);
    for (const name of Object.keys(inputs)) circuit.inputs.add(name);
    return checkedWitness(witness, curve, variables);
  });
}

/** Reads the WASM of a circuit that is used once. */
async function readCircuit(
  { sources }: EngineContext,
  call: Call,
  wasm: SourceDescription,
  maxBytes = MAX_CIRCUIT_BYTES,
): Promise<Pick<LoadedCircuit, 'module' | 'inputs'>> {
  const bytes = await call.span('read', 'host', () =>
    sources.readOnce(wasm, downloading(new Downloads(maxBytes), call.signal), (file) => file.read(0, file.size)),
  );
  return {
    module: (memoryBytes) => compileCircuit(bytes, memoryBytes).finally(() => freeMemory(bytes)),
    inputs: new Set(),
  };
}

/** Runs `read`. Its errors do not say where the witness is: a path or URL may be as secret as what it leads to. */
async function withoutPlace<T>(source: SourceDescription, read: () => Promise<T>): Promise<T> {
  const place = source.kind === 'path' ? source.path : source.kind === 'url' ? source.url : '';
  try {
    return await read();
  } catch (error) {
    if (place === '' || !(error instanceof PippinError) || error.code !== 'IO_FAILED') throw error;
    const { message, hint } = error;
    const reason = REASON.exec(message.replaceAll(withoutUrlSecrets(place), ' '))?.[0] ?? 'a failure';
    throw new PippinError(
      'IO_FAILED',
      `expected to read the witness from the path or URL that was given, got ${reason}`,
      { hint },
    );
  }
}

/** What a message says of why something cannot be read: the system's code, or the status of an answer. */
const REASON = /\bE[A-Z]{3,}\b|\bstatus \d{3}\b/;
