import { PippinError, withoutUrlSecrets } from '../../base/errors.js';
import { freeMemory, wipeAndFree } from '../../base/free-memory.js';
import type { SourceDescription } from '../../files/byte-source.js';
import { Downloads, MAX_CIRCUIT_BYTES, MAX_WITNESS_BYTES } from '../../files/downloads.js';
import { checkedWitness, type ExpectedWitness } from '../../files/snarkjs/witness-values.js';
import { readWtns, wtnsInPlace } from '../../files/snarkjs/wtns.js';
import { compileCircuitAs } from '../../files/witness/compile-circuit.js';
import { attempt, type Way } from '../../recovery/attempt.js';
import { forget } from '../../transport/shared-bytes.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import type { WitnessRequest } from '../engine-api.js';
import { downloading } from '../sources/sources.js';
import type { LoadedCircuit, RunnableCircuit } from './circuit.js';

/** What a witness is for. */
export interface WitnessUse {
  /** What the key takes. */
  readonly expected: ExpectedWitness;
  /** The circuit of a handle. */
  readonly loadedCircuit: (handle: number) => LoadedCircuit;
}

/**
 * What `work` makes of a witness, 32 canonical bytes a value, from a .wtns file or from a circuit's inputs. Values are
 * used where they are if their file came as bytes (`forgetWitness`); others are overwritten afterwards, and freed. If
 * our arithmetic was in the place of the circuit's, and the circuit rejects its inputs or the proof does not hold, both
 * are made again with the circuit's code as it is.
 */
export async function withWitness<T>(
  context: EngineContext,
  call: Call,
  request: WitnessRequest,
  { expected, loadedCircuit }: WitnessUse,
  work: (witness: Uint8Array) => Promise<T>,
): Promise<T> {
  if (request.kind === 'file') {
    const { source } = request;
    if (source.kind === 'bytes')
      return work(await call.span('read', 'host', () => wtnsInPlace(source.bytes, expected)));
    const witness = await readFile(context, call, request, expected);
    return work(witness).finally(() => wipeAndFree(witness));
  }
  const { wasm, maxBytes, memoryBytes } = request;
  const circuit =
    wasm.kind === 'circuit' ? loadedCircuit(wasm.handle) : await readCircuit(context, call, wasm, maxBytes);
  const first: Way = { by: request.exchangeArithmetic ? 'exchanged' : 'workers' };
  const made = attempt({ first, rungs: { circuit: () => ({ by: 'workers' }) } }, async (way) => {
    const form = { memoryBytes, exchangeArithmetic: way.by === 'exchanged' };
    const witness = await call.span('witness', 'wasm', async () => {
      const { module, arithmetic, keepAs } = await circuit.compile(form);
      const isRetry = request.exchangeArithmetic && !form.exchangeArithmetic;
      call.arithmetic = isRetry ? { by: 'circuit', because: 'retried' } : arithmetic;
      if (arithmetic.by === 'circuit') way.by = 'workers';
      return calculate(context, call, request, expected, { module, keepAs, inputs: circuit.inputs });
    });
    return work(witness).finally(() => wipeAndFree(witness));
  });
  return wasm.kind === 'circuit' ? made : made.finally(() => circuit.release());
}

/**
 * Overwrites the file of a witness that came as bytes, when its call has ended, whether it had begun to read them or
 * not. Shared memory is the caller's; other memory is freed.
 */
export function forgetWitness(request: WitnessRequest): void {
  if (request.kind !== 'file' || request.source.kind !== 'bytes') return;
  forget(request.source.bytes);
  freeMemory(request.source.bytes);
}

function readFile(
  { sources }: EngineContext,
  call: Call,
  { source, maxBytes = MAX_WITNESS_BYTES }: Extract<WitnessRequest, { kind: 'file' }>,
  expected: ExpectedWitness,
): Promise<Uint8Array> {
  return call.span('read', 'host', () =>
    withoutPlace(source, () =>
      sources.readOnce(source, downloading(new Downloads(maxBytes), call.signal), (file) => readWtns(file, expected)),
    ),
  );
}

/** Runs a circuit. The names of the inputs that it took are added to the circuit's. */
async function calculate(
  { witnesses }: EngineContext,
  call: Call,
  request: Extract<WitnessRequest, { kind: 'inputs' }>,
  expected: ExpectedWitness,
  { module, keepAs, inputs: known }: Pick<RunnableCircuit, 'module' | 'keepAs'> & Pick<LoadedCircuit, 'inputs'>,
): Promise<Uint8Array> {
  const { inputs, strictInputs, timeoutMs, memoryBytes } = request;
  const { curve, variables } = expected;
  const task = { module, keepAs, inputs, curve, strictInputs, variables, memoryBytes, inputNames: [...known] };
  const onLog = (line: string): void => call.notice('CIRCUIT_LOG', line);
  const witness = await witnesses.calculate(task, call.signal, timeoutMs, onLog);
  for (const name of Object.keys(inputs)) known.add(name);
  return checkedWitness(witness, expected);
}

/** Reads the WASM of a circuit that is used once. */
async function readCircuit(
  { sources }: EngineContext,
  call: Call,
  wasm: SourceDescription,
  maxBytes = MAX_CIRCUIT_BYTES,
): Promise<Pick<LoadedCircuit, 'compile' | 'inputs' | 'release'>> {
  const bytes = await call.span('read', 'host', () =>
    sources.readOnce(wasm, downloading(new Downloads(maxBytes), call.signal), (file) => file.read(0, file.size)),
  );
  return {
    compile: async (form) => {
      const compiled = await compileCircuitAs(bytes, { ...form, isReused: false });
      // After a failure with our arithmetic it is compiled as it is.
      if (compiled.arithmetic.by === 'circuit') freeMemory(bytes);
      return compiled;
    },
    inputs: new Set(),
    release: () => freeMemory(bytes),
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
