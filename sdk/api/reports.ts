import type { Executor, Notice, Phase, ProofPart, Span } from './progress.js';

/** What a prover computes with at present. They change when a GPU has been opened, is lost or is distrusted. */
export interface Capabilities {
  /** What computes the large parts: the GPU together with the workers, or the workers alone. */
  readonly backend: 'webgpu' | 'wasm';
  /** The adapter, or why there is none. */
  readonly webgpu:
    | {
        readonly available: true;
        readonly vendor: string;
        readonly architecture: string;
        readonly description: string;
        /** Whether it is a software adapter: its results are correct, but it is slow. */
        readonly software: boolean;
      }
    | {
        readonly available: false;
        /** Whether the GPU is still being opened (`auto`). */
        readonly opening: boolean;
        readonly reason: string;
      };
  /** The number of kernel workers; 0 where everything runs on the caller's thread. */
  readonly threads: number;
  /** Where keys and bases are kept between visits. */
  readonly cache: 'indexeddb' | 'folder' | 'none';
  /** Whether the page is cross-origin isolated. Pippin does not need it. */
  readonly crossOriginIsolated: boolean;
}

/**
 * Milliseconds from the first start of each phase to its last end, for the phases that the call had; phases overlap.
 * The phases of a part of a proof have its name as well: `msm A`.
 */
export type PhaseTimes = Readonly<Partial<Record<Phase | `${Phase} ${ProofPart}`, number>>> & {
  /** Milliseconds of the whole call. */
  readonly total: number;
};

/**
 * The most bytes that a prover has held at once since it was made, as it counts them for `memoryBudget`: what stays
 * between calls, and on the GPU also what calls work with. Code, witnesses and files are not counted.
 */
export interface MemoryPeaks {
  /** On the kernel workers together. */
  readonly workers: number;
  /** In the buffers of the GPU that is open; 0 without one. */
  readonly gpu: number;
}

/**
 * Whose field arithmetic a circuit's WASM computed a witness with, by the option `exchangeArithmetic`. It depends on
 * the circuit and the options alone; only `retried` depends on the inputs.
 */
export type WitnessArithmetic =
  | {
      /** Pippin's functions, in the place of some of circom's. */
      readonly by: 'pippin';
      /** circom's names of these: `Fr_F1m_mul`. */
      readonly functions: readonly string[];
    }
  | {
      /** The circuit's WASM as it is. */
      readonly by: 'circuit';
      /**
       * `option`: the option is false. `small`: a WASM below 128 KiB, given to one call, would take longer to change
       * than to run. `unknown`: its functions are not known, as in circuits of circom 1 and over other fields.
       * `retried`: with Pippin's functions the circuit rejected its inputs, or the proof did not hold.
       */
      readonly because: 'option' | 'small' | 'unknown' | 'retried';
    };

/** What computed each part of a call, and how long each step took. */
export interface Report {
  /** `webgpu` when any MSM ran on the GPU. */
  readonly backend: 'webgpu' | 'wasm';
  /** The executor of each part; if several shared a part, the first of its `executors`. */
  readonly parts: Readonly<Partial<Record<ProofPart | 'msm', Executor>>>;
  /** All executors of each part, usually one. */
  readonly executors: Readonly<Partial<Record<ProofPart | 'msm', readonly Executor[]>>>;
  /** How long each phase took, and the whole call. */
  readonly ms: PhaseTimes;
  /** Every piece of work, ordered by its start. */
  readonly timeline: readonly Span[];
  /** The most memory that the prover has held at once until the call ended. */
  readonly memory?: MemoryPeaks;
  /** What the caller should know of the call that is not a failure. */
  readonly notices: readonly Notice[];
  /**
   * For calls that load points or a key: whether the prepared points came from the cache. For calls that load a
   * circuit: whether its file did.
   */
  readonly cached?: boolean;
  /** For calls that compute a witness from a circuit's inputs. */
  readonly arithmetic?: WitnessArithmetic;
}
