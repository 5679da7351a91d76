import type { AnyProveResult, CircuitInputs, Prover } from '../../api/index.js';
import type { ProgressListener } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { isObject, ownMembers } from '../../base/records.js';
import type { Protocol } from '../../proofs/parts.js';
import type { KeySource } from '../session/kept-keys.js';
import type { KeptProver } from '../session/kept-prover.js';
import { type ProofInput, protocolOf, proveWith, systemOf } from '../session/proof-system-of.js';
import type { KeptProofs } from './kept-proofs.js';
import {
  type Args,
  checkedId,
  fromBase64,
  type KeyRequest,
  type Method,
  type PlainOptions,
  type ProveArgs,
  type Result,
  unknownId,
} from './messages.js';
import type { ServedCall } from './session.js';

/** The methods of the document. The prover checks the arguments that are passed on to it. */
type Served = {
  readonly [M in Method]: (args: Args<M>, call: ServedCall, prover: KeptProver, kept: KeptProofs) => Promise<Result<M>>;
};

/** Runs the method of a message. `INVALID_ARGUMENT` for an unknown method or wrong arguments. */
export async function runMethod(
  method: string,
  args: Readonly<Record<string, unknown>>,
  call: ServedCall,
  prover: KeptProver,
  kept: KeptProofs,
): Promise<unknown> {
  if (!Object.hasOwn(METHODS, method)) throw new PippinError('INVALID_ARGUMENT', 'expected a method, got another name');
  // Each method checks what it reads.
  return METHODS[method as Method](args as never, call, prover, kept);
}

const METHODS: Served = {
  capabilities: async (_, __, prover) => prover.use(({ capabilities }) => capabilities),
  loadKey: async ({ key }, { session, signal, onProgress }, prover) => {
    const request = checkedKey(key);
    const call = { signal, onProgress };
    const { dispose: _, ...facts } = await prover.use((it, keys) => keys.hold(sourceOf(request, it), call, session));
    return facts;
  },
  releaseKey: async ({ key }, { session }, prover) => {
    const id = idOf(checkedKey(key));
    prover.keys?.release(id, session);
    return null;
  },
  prove: async (request, call, prover, kept) => {
    const start = (signal: AbortSignal, onProgress: ProgressListener): Promise<AnyProveResult> =>
      prove(request, signal, onProgress, prover);
    if (request.id === undefined) return start(call.signal, call.onProgress);
    const id = checkedId(request.id);
    const proof = kept.begin(id, start);
    try {
      return await proof.join(call.signal, call.onProgress);
    } catch (error) {
      // A caller that disappeared may return for it; one that aborts does not want it.
      if (call.signal.aborted && !call.isAbandoned()) kept.discard(id);
      throw error;
    }
  },
  verify: async ({ protocol, verificationKey, publicSignals, proof, options }, { signal }, prover) => {
    const known = checkedProtocol(protocol);
    const all = { ...checkedOptions(options), signal };
    return prover.use((it) =>
      systemOf(it, known).verify(verificationKey as never, publicSignals as never, proof as never, all),
    );
  },
  proofs: async (_, __, ___, kept) => kept.list(),
  result: async ({ id }, { signal, onProgress }, _, kept) => {
    const proof = kept.get(checkedId(id));
    if (proof === undefined) throw unknownId();
    // A circuit's log may show its inputs: only the caller of the proof gets it.
    return proof.join(signal, (event) => {
      if (event.kind !== 'notice' || event.notice.code !== 'CIRCUIT_LOG') onProgress(event);
    });
  },
  discard: async ({ id }, _, __, kept) => {
    kept.discard(checkedId(id));
    return null;
  },
  clearCache: async (_, __, prover) => {
    await prover.use((it) => it.clearCache());
    return null;
  },
};

async function prove(
  { key, work: given, options }: ProveArgs,
  signal: AbortSignal,
  onProgress: ProgressListener,
  prover: KeptProver,
): Promise<AnyProveResult> {
  if (!isObject(given)) throw wrong('inputs or a witness');
  const work = ownMembers(given);
  const checked = checkedOptions(options);
  const request = checkedKey(key);
  return prover.use((it, keys) =>
    keys.use(sourceOf(request, it), { signal, onProgress }, async (loaded, proving) => {
      const all = { ...checked, signal, onProgress: proving };
      return proveWith(it, loaded, inputOf(work), all);
    }),
  );
}

function inputOf(work: Readonly<Record<string, unknown>>): ProofInput {
  if ('inputs' in work) return { inputs: work.inputs as CircuitInputs, circuit: textOf(work.wasm) };
  if ('witnessUrl' in work) return { witness: textOf(work.witnessUrl) };
  return { witness: fromBase64(textOf(work.witnessBase64)) };
}

/** Keys are shared by callers that load the same files with the same options. */
const idOf = (request: KeyRequest): string => JSON.stringify(request);

function sourceOf(request: KeyRequest, prover: Prover): KeySource {
  const { protocol, urls, isChunked, options } = request;
  const system = systemOf(prover, protocol);
  return {
    id: idOf(request),
    load: (signal, onProgress) => system.loadKey(isChunked ? urls : urls[0]!, { ...options, signal, onProgress }),
  };
}

function checkedKey(key: unknown): KeyRequest {
  const { protocol, urls, isChunked, options } = ownMembers(key);
  if (!Array.isArray(urls) || urls.length === 0) throw wrong('a key by its URLs');
  return {
    protocol: checkedProtocol(protocol),
    urls: urls.map(textOf),
    isChunked: isChunked === true,
    options: checkedOptions(options),
  };
}

function checkedProtocol(protocol: unknown): Protocol {
  const known = protocolOf({ protocol });
  if (known === undefined) throw wrong('a proof system');
  return known;
}

function checkedOptions(options: unknown): PlainOptions {
  if (!isObject(options)) throw wrong('options as an object');
  return options;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw wrong('a string');
  return value;
}

function wrong(expected: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', `expected ${expected} in a call of another page, got something else`);
}
