import type {
  BasesLoadOptions,
  BasesToLoad,
  CompleteMsmBackend,
  MsmExecutor,
  MultiplyOptions,
  RevocableBackend,
} from '../../sdk/bases/backend.js';
import type { MsmDevice } from '../../sdk/bases/gpu-or-workers.js';
import type { ScalarVector } from '../../sdk/bases/scalar-vector.js';

/**
 * A backend of finished sums that is told what to do: its result is one byte, the number of the multiplication so far.
 */
export class FakeBackend implements RevocableBackend {
  readonly capabilities;
  isAvailable = true;
  isReady = true;
  loads = 0;
  released = 0;
  multiplications = 0;
  options: MultiplyOptions | undefined;
  loadOptions: BasesLoadOptions | undefined;
  /** Called at the beginning of each; what they throw is the outcome. */
  onLoad = (): void | Promise<void> => undefined;
  onMultiply = (): void | Promise<void> => undefined;

  constructor(executor: MsmExecutor) {
    this.capabilities = { executor, groups: ['g1'], forms: ['weierstrass'], maxBatch: 4 } as const;
  }

  load: CompleteMsmBackend['load'] = async (bases: BasesToLoad, _range, options) => {
    this.loads++;
    this.loadOptions = options;
    await this.onLoad();
    return { count: bases.count, release: () => void this.released++ };
  };

  multiplyBatch: CompleteMsmBackend['multiplyBatch'] = async (_bases, _scalars: ScalarVector, batch, options) => {
    this.options = options;
    await this.onMultiply();
    const { executor } = this.capabilities;
    return Array.from({ length: batch }, () => ({
      point: new Uint8Array([++this.multiplications]),
      executors: [executor],
    }));
  };
}

/** The backend as a GPU that is there as long as the fake says so, and is not replaced. */
export function asDevice(
  backend: FakeBackend,
  isRequired = false,
  distrust: (reason: string) => void = () => undefined,
): MsmDevice {
  const opened = Promise.resolve(backend);
  return {
    capabilities: backend.capabilities,
    current: () => (backend.isAvailable ? opened : undefined),
    isReady: () => backend.isReady,
    isRequired,
    distrust,
  };
}

/** Two bases of BN254. */
export const BASES: BasesToLoad = {
  curve: 'bn254',
  group: 'g1',
  form: 'weierstrass',
  count: 2,
  kept: 2,
  indices: undefined,
  exceptional: [],
  points: new Uint8Array(128),
};

/** A promise that is fulfilled by hand. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
