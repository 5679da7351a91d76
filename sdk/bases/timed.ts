import type { MsmObserver, ResidentBases, SumBackend } from './backend.js';

/** Reports to the observer of each call what the backend does and how long it takes. */
export function timed<Bases extends ResidentBases>(backend: SumBackend<Bases>): SumBackend<Bases> {
  const { executor } = backend.capabilities;
  const loading = executor === 'webgpu' ? 'upload' : 'distribute';
  const span = <T>(
    observer: MsmObserver | undefined,
    phase: typeof loading | 'msm',
    work: () => Promise<T>,
  ): Promise<T> => (observer === undefined ? work() : observer.span(phase, executor, work));
  return {
    capabilities: backend.capabilities,
    load: (bases, range, options) => span(options?.observer, loading, () => backend.load(bases, range, options)),
    multiplyBatch: (bases, scalars, batch, options) =>
      span(options?.observer, 'msm', () => backend.multiplyBatch(bases, scalars, batch, options)),
  };
}
