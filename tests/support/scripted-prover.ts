import type { RegisteredCircuit } from '../../farm/src/circuits/circuits.js';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import type { ProgressListener } from '../../sdk/api/progress.js';
import { abortError } from '../../sdk/base/abort.js';

/** What a proof does: it gives the public signals, waits, or throws. */
export type ScriptedProof = (
  inputs: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  onProgress: ProgressListener,
) => Promise<readonly string[]>;

/** Provers that compute nothing, for tests of what is around them. */
export class ScriptedProvers {
  /** The options of each prover that was made. */
  readonly made: ProverOptions[] = [];
  /** The keys that were loaded, and those that were freed, by their sources. */
  readonly loaded: string[] = [];
  readonly freed: string[] = [];
  /** The values of the input `x`, in the order in which they were proved. */
  readonly order: unknown[] = [];
  prove: ScriptedProof = async () => ['1'];
  load: (source: string, onProgress: ProgressListener) => Promise<void> = async () => undefined;
  disposed = 0;

  readonly create = async (options: ProverOptions): Promise<Prover> => {
    this.made.push(options);
    const dispose = async () => void this.disposed++;
    const loadKey = async (source: string, { onProgress }: { onProgress: ProgressListener }) => {
      await this.load(source, onProgress);
      this.loaded.push(source);
      return { protocol: 'groth16', dispose: async () => void this.freed.push(source) };
    };
    const report = { ms: { msm: 1, total: 2 } };
    const fullProve = async (
      _: unknown,
      inputs: Readonly<Record<string, unknown>>,
      __: unknown,
      given: { signal: AbortSignal; onProgress: ProgressListener },
    ) => {
      this.order.push(inputs.x);
      const publicSignals = await this.prove(inputs, given.signal, given.onProgress);
      return { proof: { pi_a: [], pi_b: [], pi_c: [], protocol: 'groth16', curve: 'bn128' }, publicSignals, report };
    };
    const loadCircuit = async () => ({ dispose: async () => undefined });
    const isGpu = options.backend === 'webgpu';
    const capabilities = {
      backend: isGpu ? 'webgpu' : 'wasm',
      webgpu: isGpu ? { available: true, vendor: 'test', description: 'GPU' } : { available: false },
      threads: 1,
    };
    return { capabilities, dispose, loadKey, groth16: { loadKey, loadCircuit, fullProve } } as unknown as Prover;
  };
}

/** A proof that goes on until it is aborted. */
export const endless: ScriptedProof = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(abortError(signal))));

/** A circuit whose files nobody reads. */
export function scriptedCircuit(id: string, bytes = 100): RegisteredCircuit {
  const file = { source: `${id}.zkey`, sha256: '0'.repeat(64), bytes };
  const info = { id, keySha256: file.sha256, curve: 'bn128', publicSignals: 1, takesInputs: true };
  return { info, zkey: file, wasm: { ...file, source: `${id}.wasm` }, verificationKey: {} as never };
}
