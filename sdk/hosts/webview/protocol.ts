import type { CircuitInputs, Groth16Proof } from '../../api/index.js';
import type { NoticeCode, Phase } from '../../api/progress.js';
import type { PippinErrorCode } from '../../base/errors.js';

/**
 * The messages between a native app and the page in its webview. Each is JSON text with the member `pippin`, the
 * version of the protocol. What a version does not know, it refuses if it is a message (`type`) and ignores if it is a
 * member.
 */
export const PROTOCOL_VERSION = 1;

/** The most characters of a message. The largest inputs in use take some hundred thousand. */
export const MAX_MESSAGE_LENGTH = 2 ** 22;

/**
 * What an id may be: the app chooses it, and takes another one, such as a UUID, for each statement that is to be
 * proved.
 */
export const ID_PATTERN = /^[\w.:-]{1,128}$/;

/** What every message has. */
interface Versioned {
  readonly pippin: typeof PROTOCOL_VERSION;
}

/** What an app tells the page. */
export type HostMessage = Versioned &
  (
    | {
        /**
         * The handshake: asks for `ready`. The page sends it by itself when it begins to listen; on Android it must
         * speak first.
         */
        readonly type: 'hello';
      }
    | {
        /**
         * Asks for a proof. With the id of a proof that is waited for or made, nothing is made twice: the page tells
         * how it stands, or its result again. With the id of one that failed, it is tried again. The same id with other
         * inputs, or for another circuit, is refused while the first is waited for (`INVALID_ARGUMENT`); afterwards the
         * inputs are gone, and the first result is given.
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
         * Ends a proof, which then fails with `ABORTED`. Idempotent: one that has ended stays as it is, and its end is
         * reported again. `INVALID_HANDLE` for an id that the page does not know.
         */
        readonly type: 'cancel';
        readonly id: string;
      }
    | {
        /**
         * Asks for a proof's state, also after the page was loaded again: answered by `state`, `result` or `failed`. A
         * proof that was pending when the page went is `INTERRUPTED`, since its inputs are not kept. `INVALID_HANDLE`
         * for an id that the page does not know.
         */
        readonly type: 'fetch';
        readonly id: string;
      }
    | {
        /** Deletes what is kept of a proof that has ended. The app sends it when it has the result. */
        readonly type: 'forget';
        readonly id: string;
      }
    | {
        /**
         * The system is short of memory. `moderate`: what is not in use is freed. `critical`: pending proofs fail with
         * `OUT_OF_MEMORY`, too.
         */
        readonly type: 'trim';
        readonly level: 'moderate' | 'critical';
      }
    | {
        /**
         * Whether the app is in the foreground. From then on the page goes by it, and no more by its own visibility.
         */
        readonly type: 'visibility';
        readonly visible: boolean;
      }
  );

/** How a proof stands that has not ended. */
export interface ProofState {
  /** The id that the app chose. */
  readonly id: string;
  /** `queued`: others are made before it. `paused`: it goes on when the reason is over. */
  readonly state: 'queued' | 'running' | 'paused';
  /** How often it was begun. */
  readonly attempt: number;
  /**
   * Of `paused`: `background`: the page is not seen; the work was stopped, and is begun again when it is. `frozen`: the
   * system has stopped the page, which goes on where it was.
   */
  readonly reason?: 'background' | 'frozen';
}

/** What the page tells an app. */
export type PageMessage = Versioned &
  (
    | {
        readonly type: 'ready';
        /** A random name, another one each time that the page is loaded. */
        readonly page: string;
        readonly circuits: readonly string[];
        /** The proofs that are not over. */
        readonly proofs: readonly ProofState[];
        /** The bytes that are planned with, and the number of workers. */
        readonly memoryBudget: number;
        readonly threads: number;
      }
    | {
        /**
         * The page is about to be closed or loaded again, or has ended its service. Pending proofs end; after the next
         * `ready` the app can ask again with the same ids. A webview's process that dies sends nothing: there the app
         * hears of it from the system.
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
         * From 0 to 1 over loading the key, if it is not loaded, and proving. It never decreases, also where the proof
         * is begun again.
         */
        readonly fraction: number;
        readonly phase: Phase;
      }
    | {
        readonly type: 'result';
        readonly id: string;
        readonly circuit: string;
        readonly proof: Groth16Proof;
        /** Decimal strings. */
        readonly publicSignals: readonly string[];
        /** What computed it, and how many milliseconds the last attempt took. */
        readonly backend: 'webgpu' | 'wasm';
        readonly ms: number;
        readonly attempts: number;
      }
    | {
        /**
         * A proof failed, or, without an id that the page could read, a message was not understood. It holds no value
         * of the inputs.
         */
        readonly type: 'failed';
        readonly id?: string;
        readonly code: PippinErrorCode;
        readonly message: string;
        readonly hint?: string;
      }
    | {
        /**
         * Something that is no failure and yet worth knowing, such as a GPU that was lost. What a circuit writes by
         * `log()` is not reported.
         */
        readonly type: 'notice';
        readonly code: NoticeCode;
        readonly message: string;
      }
  );

/** A message of one type. */
export type HostMessageOf<T extends HostMessage['type']> = Extract<HostMessage, { readonly type: T }>;
export type PageMessageOf<T extends PageMessage['type']> = Extract<PageMessage, { readonly type: T }>;

/** A message without its version, as it is written before it is sent. */
export type Unversioned<Message> = Message extends unknown ? Omit<Message, 'pippin'> : never;

/** The text of a message. Bigints become decimal strings. */
export function encodeMessage(message: Unversioned<HostMessage> | Unversioned<PageMessage>): string {
  return JSON.stringify({ pippin: PROTOCOL_VERSION, ...message }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
