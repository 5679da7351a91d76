import type { Prover, ProverOptions } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { isObject, ownMembers } from '../../base/records.js';
import { maxBytesOf } from '../prover/caller-source.js';
import { MAX_MEMORY_BYTES, MAX_TIMEOUT_MS } from '../prover/witness-limits.js';
import type { KeptKeys } from '../session/kept-keys.js';
import { KeptProver } from '../session/kept-prover.js';
import type { AliasOptions } from './api.js';

const IDLE_MS = 60_000;
const MAX_KEYS = 4;
const MAX_KEY_BYTES = 2 ** 30;

/** How long the prover lives on after `terminate()` of a curve: a library may call it after each proof. */
const LAST_MS = 1000;

/** The session behind the alias, with the options of `configure`. */
export class AliasProver {
  private options: AliasOptions = ownMembers({});
  private readonly session: KeptProver;

  constructor(createProver: (options: ProverOptions) => Promise<Prover>) {
    const open = (): Promise<Prover> => {
      const { prover = {} } = this.options;
      const { onNotice } = ownMembers(prover);
      return createProver({ ...prover, onNotice: logged(onNotice) });
    };
    this.session = new KeptProver(open, () => {
      const { maxKeys = MAX_KEYS, maxKeyBytes = MAX_KEY_BYTES, idleMs = IDLE_MS } = this.options;
      return { maxKeys, maxKeyBytes, idleMs };
    });
  }

  /**
   * Options for the next prover; those that are not given stay as they are. A prover that runs ends after its calls.
   * `INVALID_ARGUMENT` for an option that does not exist, or has a wrong type.
   */
  configure(options: AliasOptions): void {
    this.options = ownMembers({ ...this.options, ...readOptions(options) });
    this.session.retire();
  }

  /** The options that calls follow at present. */
  get configured(): AliasOptions {
    return this.options;
  }

  /** Whether a call would find the key of this identity loaded. */
  hasKey(identity: string): boolean {
    return this.session.keys?.has(identity) ?? false;
  }

  /** Calls `work` with the prover, and with the keys that it has loaded. */
  use<T>(work: (prover: Prover, keys: KeptKeys) => Promise<T>): Promise<T> {
    return this.session.use(work);
  }

  /** Ends the prover soon, unless it is used again before. */
  endSoon(): void {
    this.session.retireAfter(LAST_MS);
  }
}

function readOptions(options: AliasOptions): AliasOptions {
  const reader = new OptionReader(options, 'the options of configure');
  const read = {
    prover: proverOf(reader),
    idleMs: reader.number('idleMs', 0, Number.MAX_SAFE_INTEGER, 'milliseconds'),
    maxKeys: reader.integer('maxKeys', 1, Number.MAX_SAFE_INTEGER),
    maxKeyBytes: reader.number('maxKeyBytes', 0, Number.MAX_SAFE_INTEGER, 'bytes'),
    maxBytes: maxBytesOf(reader),
    witnessTimeout: reader.number('witnessTimeout', 1, MAX_TIMEOUT_MS, 'milliseconds'),
    witnessMemory: reader.number('witnessMemory', 1, MAX_MEMORY_BYTES, 'bytes'),
    allowUnfinished: flagOf(reader, 'allowUnfinished'),
    curveGlobals: flagOf(reader, 'curveGlobals'),
  };
  reader.expectNoOthers();
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** A boolean; undefined if it is left out, so that what was set before stays. */
function flagOf(reader: OptionReader, name: string): boolean | undefined {
  return reader.read(name) === undefined ? undefined : reader.flag(name, true);
}

/** The options of the prover, which `createProver` checks. */
function proverOf(reader: OptionReader): ProverOptions | undefined {
  const prover = reader.read('prover') ?? undefined;
  if (prover === undefined || isObject(prover)) return prover as ProverOptions | undefined;
  throw reader.wrong('prover', 'the options of createProver', prover);
}

/** Writes what circuits log to the console, as snarkjs does. */
function logged(onNotice: ProverOptions['onNotice']): NonNullable<ProverOptions['onNotice']> {
  return (notice) => {
    if (notice.code === 'CIRCUIT_LOG') console.log(notice.message);
    return onNotice?.(notice);
  };
}
