import * as Comlink from 'comlink';
import type { CircuitInputs } from '../api.js';
import { asPippinError, PippinError, throwIfAborted } from '../errors.js';
import type { calculateWitness } from '../groth16/witness-calculator.js';
import { checkWitness, readWtns } from '../groth16/wtns.js';
import { onAbort } from '../on-abort.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import type { WitnessRequest } from './engine-api.js';
import { openSource } from './sources.js';

/** What the witness worker exposes. */
export interface WitnessHost {
  calculate: typeof calculateWitness;
}

/** The witness's values, 32 canonical bytes each, from a .wtns file or from a circuit's inputs. */
export async function readWitness(
  context: EngineContext,
  call: Call,
  request: WitnessRequest,
  variables: number,
): Promise<Uint8Array> {
  if (request.kind === 'file') {
    return call.span('read', 'host', async () =>
      readWtns(await openSource(context.platform, request.source, call.signal), variables),
    );
  }
  const { inputs, wasm } = request;
  const bytes = await call.span('read', 'host', async () => {
    const source = await openSource(context.platform, wasm, call.signal);
    return source.read(0, source.size);
  });
  const values = await call.span('witness', 'wasm', () => calculate(context, bytes, inputs, call.signal));
  checkWitness(values, variables);
  return values;
}

/**
 * Runs a circuit's own code in a worker of its own, which ends with it: an aborted call ends it too, whatever the circuit is
 * doing.
 */
async function calculate(
  context: EngineContext,
  wasm: Uint8Array,
  inputs: CircuitInputs,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>);
  } catch (error) {
    throw asPippinError(error, 'UNSUPPORTED_FORMAT', "expected a circuit's WASM");
  }
  const channel = context.platform.spawnWitness(context.config.assets);
  const host = Comlink.wrap<WitnessHost>(channel.endpoint);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      throwIfAborted(signal);
      onAbort(signal, () =>
        reject(new PippinError('ABORTED', 'the call was aborted by its signal', { cause: signal.reason })),
      );
      channel.onFailure(reject);
      host.calculate(module, inputs).then(resolve, reject);
    });
  } finally {
    channel.terminate();
  }
}
