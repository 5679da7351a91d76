import type { CircuitInputs, Proof } from '../../api/index.js';
import type { NoticeCode, Phase } from '../../api/progress.js';
import type { PippinErrorCode } from '../../base/errors.js';

/**
 * The messages between a native app and the page in its webview. Each is JSON text with the member `pippin`, the
 * version of the protocol. An unknown message (`type`) is rejected; an unknown member is ignored.
 */
export const PROTOCOL_VERSION = 1;

/** The maximum length of a message in characters. The largest inputs in use take some hundred thousand. */
export const MAX_MESSAGE_LENGTH = 2 ** 22;

/** The pattern of ids. The app chooses a new one, such as a UUID, for each statement to be proved. */
export const ID_PATTERN = /^[\w.:-]{1,128}$/;

/** Members of every message. */
interface Versioned {
  readonly pippin: typeof PROTOCOL_VERSION;
}

/** Messages of the app to the page. */
export type HostMessage = Versioned &
  (
    | {
        /**
         * The handshake: requests `ready`, which the page also sends when it begins to listen; on Android the page must
         * send first.
         */
        readonly type: 'hello';
      }
    | {
        /**
         * Requests a proof. Idempotent: for the id of a pending or finished proof the page reports its state, or
         * returns its result again; a failed one is retried. The same id with other inputs, or for another circuit, is
         * rejected while the first is pending (`INVALID_ARGUMENT`); afterwards the inputs are gone, and the first
         * result is returned.
         */
        readonly type: 'prove';
        readonly id: string;
        /** One of `ready.circuits`. */
        readonly circuit: string;
        /**
         * As for `Groth16.fullProve`; numbers from 2^53 on as strings, since JSON's are rounded there
         * (`INVALID_INPUT`).
         */
        readonly inputs: CircuitInputs;
      }
    | {
        /**
         * Cancels a proof, which then fails with `ABORTED`. Idempotent: a proof that has ended stays as it is, and its
         * result or failure is sent again. `INVALID_HANDLE` for an unknown id.
         */
        readonly type: 'cancel';
        readonly id: string;
      }
    | {
        /**
         * Requests a proof's state, also after the page was reloaded: answered by `state`, `result` or `failed`. A
         * proof that was pending when the page went is `INTERRUPTED`, since its inputs are not stored. `INVALID_HANDLE`
         * for an unknown id.
         */
        readonly type: 'fetch';
        readonly id: string;
      }
    | {
        /** Deletes the stored result of a proof. The app sends it when it has the result. */
        readonly type: 'forget';
        readonly id: string;
      }
    | {
        /**
         * The system is short of memory. `moderate`: unused memory is freed. `critical`: pending proofs fail with
         * `OUT_OF_MEMORY`, too.
         */
        readonly type: 'trim';
        readonly level: 'moderate' | 'critical';
      }
    | {
        /** Whether the app is in the foreground. From then on this overrides the page's own visibility. */
        readonly type: 'visibility';
        readonly visible: boolean;
      }
  );

/** The state of a pending proof. */
export interface ProofState {
  /** The id that the app chose. */
  readonly id: string;
  /** `queued`: others are made before it. `paused`: it continues when the reason ends. */
  readonly state: 'queued' | 'running' | 'paused';
  /** The number of attempts. */
  readonly attempt: number;
  /**
   * Of `paused`: `background`: the page is hidden; the work was stopped, and restarts when it is visible. `frozen`: the
   * system has frozen the page, which resumes where it was.
   */
  readonly reason?: 'background' | 'frozen';
}

/** Messages of the page to the app. */
export type PageMessage = Versioned &
  (
    | {
        readonly type: 'ready';
        /** A random name, new at each load of the page. */
        readonly page: string;
        readonly circuits: readonly string[];
        /** The pending proofs. */
        readonly proofs: readonly ProofState[];
        /** The memory budget in bytes, and the number of workers. */
        readonly memoryBudget: number;
        readonly threads: number;
      }
    | {
        /**
         * The page is about to be closed or reloaded, or has ended its service. Pending proofs end; after the next
         * `ready` the app can request them again with the same ids. A webview's process that dies sends nothing; there
         * the system notifies the app.
         */
        readonly type: 'leaving';
        readonly page: string;
      }
    | ({ readonly type: 'state' } & ProofState)
    | {
        readonly type: 'progress';
        readonly id: string;
        readonly attempt: number;
        /**
         * From 0 to 1 over loading the key, if it is not loaded, and proving. It never decreases, even if the proof
         * restarts.
         */
        readonly fraction: number;
        readonly phase: Phase;
      }
    | {
        readonly type: 'result';
        readonly id: string;
        readonly circuit: string;
        readonly proof: Proof;
        /** Decimal strings. */
        readonly publicSignals: readonly string[];
        /** The executor, and the milliseconds of the last attempt. */
        readonly backend: 'webgpu' | 'wasm';
        readonly ms: number;
        readonly attempts: number;
      }
    | {
        /**
         * A proof failed, or, without a readable id, a message was not understood. It contains no value of the inputs.
         */
        readonly type: 'failed';
        readonly id?: string;
        readonly code: PippinErrorCode;
        readonly message: string;
        readonly hint?: string;
      }
    | {
        /** A notice, such as a lost GPU. Output of a circuit's `log()` is not reported. */
        readonly type: 'notice';
        readonly code: NoticeCode;
        readonly message: string;
      }
  );

/** A message of one type. */
export type HostMessageOf<T extends HostMessage['type']> = Extract<HostMessage, { readonly type: T }>;
export type PageMessageOf<T extends PageMessage['type']> = Extract<PageMessage, { readonly type: T }>;

/** A message without its version, as code builds it. */
export type Unversioned<Message> = Message extends unknown ? Omit<Message, 'pippin'> : never;

/** The text of a message. Bigints become decimal strings. */
export function encodeMessage(message: Unversioned<HostMessage> | Unversioned<PageMessage>): string {
  return JSON.stringify({ pippin: PROTOCOL_VERSION, ...message }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
