import type { CircuitInputs } from '../api.js';
import type { CurveId } from '../curves/index.js';
import { asPippinError } from '../errors.js';
import { checkWitness, readWtns } from '../snarkjs/wtns.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import type { WitnessRequest } from './engine-api.js';
import { readOnce } from './sources.js';

/** The witness's values, 32 canonical bytes each, from a .wtns file or from a circuit's inputs. */
export async function readWitness(
  context: EngineContext,
  call: Call,
  request: WitnessRequest,
  curve: CurveId,
  variables: number,
): Promise<Uint8Array> {
  if (request.kind === 'file') {
    const { source } = request;
    return call.span('read', 'host', () =>
      readOnce(context.platform, source, call.signal, (file) => readWtns(file, curve, variables)),
    );
  }
  const { inputs, wasm } = request;
  const bytes = await call.span('read', 'host', () =>
    readOnce(context.platform, wasm, call.signal, (file) => file.read(0, file.size)),
  );
  const values = await call.span('witness', 'wasm', () => calculate(context, bytes, inputs, curve, call.signal));
  checkWitness(values, curve, variables);
  return values;
}

/** The module is compiled here, so that what is no WASM is told as such. */
async function calculate(
  { witnesses }: EngineContext,
  wasm: Uint8Array,
  inputs: CircuitInputs,
  curve: CurveId,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>);
  } catch (error) {
    throw asPippinError(error, 'UNSUPPORTED_FORMAT', "expected a circuit's WASM");
  }
  return witnesses.calculate(module, inputs, curve, signal);
}
