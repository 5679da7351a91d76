import { PippinError } from '../base/errors.js';
import { BudgetExceeded } from '../base/memory-budget.js';
import { asLost, isBackendFault } from '../recovery/fault.js';
import type {
  BasesLoadOptions,
  BasesRange,
  BasesToLoad,
  MsmCapabilities,
  ResidentBases,
  RevocableBackend,
  SumBackend,
} from './backend.js';
import { ResidentCopy } from './resident-copy.js';

/** A device that can be lost and opened again, with the backend on it. */
export interface LosableDevice {
  /** The backend on the device that is open now; undefined when no device is open. */
  current(): Promise<SumBackend> | undefined;
  /** Whether the current backend can multiply at once. */
  isReady(): boolean;
  /** Opens another device after that of the backend `lost` was lost; false when no device can be opened. */
  reopen(lost: Promise<SumBackend>): Promise<boolean>;
}

/**
 * A backend on a device that can be lost. After that a new device is opened, and bases are loaded onto it when they are first needed there.
 * A multiplication that loses its device is computed once more on a new one. `DEVICE_LOST` when that one is lost, too, or when there is none.
 */
export function reopened(device: LosableDevice, capabilities: MsmCapabilities): RevocableBackend {
  return {
    capabilities,

    get isAvailable() {
      return device.current() !== undefined;
    },

    get isReady() {
      return device.isReady();
    },

    async load(bases, range, options) {
      const loaded = new ReloadedBases(bases, range);
      try {
        await loaded.on(openBackend(device), options);
      } catch (error) {
        // A multiplication will meet the same fault, and can then open another device.
        if (options?.mustLoad === true || !isBackendFault(error) || error instanceof BudgetExceeded) throw error;
      }
      return loaded;
    },

    async multiplyBatch(bases, scalars, batch, options = {}) {
      const loaded = bases as ReloadedBases;
      for (let attempt = 0; ; attempt++) {
        const backend = openBackend(device);
        try {
          const resident = await loaded.on(backend, { observer: options.observer });
          return await (await backend).multiplyBatch(resident, scalars, batch, options);
        } catch (error) {
          const fault = loaded.isReleased || device.current() === backend ? error : asLost(error);
          const isLost = fault instanceof PippinError && fault.code === 'DEVICE_LOST';
          // Scalars on a device were lost with it.
          const isFinal = !isLost || attempt > 0 || scalars.kind === 'device';
          if (isFinal || !(await device.reopen(backend))) throw fault;
        }
      }
    },
  };
}

function openBackend(device: LosableDevice): Promise<SumBackend> {
  const backend = device.current();
  if (backend === undefined) throw new PippinError('DEVICE_LOST', 'expected an open GPU device, got none');
  return backend;
}

/** Bases that are loaded once onto each device that is opened. */
class ReloadedBases implements ResidentBases {
  isReleased = false;
  private backend: Promise<SumBackend> | undefined;
  private copy = new ResidentCopy<ResidentBases>();

  constructor(
    private readonly bases: BasesToLoad,
    private readonly range: BasesRange | undefined,
  ) {}

  get count(): number {
    return this.bases.count;
  }

  /** The bases on this backend; see `ResidentCopy`. A copy on a lost device is forgotten. */
  on(backend: Promise<SumBackend>, options: BasesLoadOptions = {}): Promise<ResidentBases> {
    if (this.isReleased) throw new PippinError('DISPOSED', 'expected loaded bases, got released ones');
    if (this.backend !== backend) {
      this.backend = backend;
      this.copy = new ResidentCopy<ResidentBases>();
    }
    return this.copy.get(() => backend.then((open) => open.load(this.bases, this.range, options)));
  }

  release(): void {
    this.isReleased = true;
    this.copy.release();
  }
}
