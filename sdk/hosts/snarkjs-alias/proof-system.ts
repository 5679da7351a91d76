import type {
  CircuitInputs,
  ProofJson,
  ProveResultOf,
  ProvingKey,
  VerificationKeyJson,
  VerifyOptions,
} from '../../api/index.js';
import type { ProgressEvent, ProgressListener } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { isObject, isRecord, ownMembers } from '../../base/records.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../prover/witness-limits.js';
import { type ProofInput, proveWith, systemOf } from '../session/proof-system-of.js';
import type { InputFile, Logger, SnarkjsProofResult } from './api.js';
import type { AliasContext } from './context.js';
import { KeyFiles } from './key-files.js';

/** Options that log what the prover's calls do. */
interface PhaseLog {
  readonly onProgress?: ProgressListener;
}

/** Logs each phase of a call once, when its first piece of work has finished. */
function phaseLog(logger: Logger | undefined): PhaseLog {
  if (logger === undefined || logger === null) return {};
  const told = new Set<string>();
  return {
    onProgress(event: ProgressEvent) {
      if (event.kind !== 'span') return;
      const { phase, part } = event.span;
      const line = part === undefined ? phase : `${phase} ${part}`;
      if (told.has(line)) return;
      told.add(line);
      logger.debug?.(line);
    },
  };
}

/** The calls that snarkjs has for each proof system. */
export abstract class AliasProofSystem<Key extends ProvingKey, Proof> {
  private readonly keyFiles: KeyFiles;

  constructor(
    private readonly protocol: Key['protocol'],
    protected readonly context: AliasContext,
  ) {
    this.keyFiles = new KeyFiles(context.platform, (identity) => context.prover.hasKey(this.idOf(identity)));
  }

  /** Options for the prover, such as `singleThread`, are accepted and not needed. */
  readonly prove = async (
    zkey: InputFile,
    witness: InputFile,
    logger?: Logger,
    _options?: unknown,
  ): Promise<SnarkjsProofResult<Proof>> => {
    const source = this.context.sourceOf(witness, 'a witness');
    return this.proveWith(zkey, { witness: source }, this.context.downloadLimit, logger);
  };

  readonly fullProve = async (
    inputs: CircuitInputs,
    wasm: InputFile,
    zkey: InputFile,
    logger?: Logger,
    ..._options: unknown[]
  ): Promise<SnarkjsProofResult<Proof>> => {
    // As in snarkjs, what the caller writes to them after the call does not count.
    const given = plainInputs(inputs);
    const source = this.context.sourceOf(wasm, "a circuit's WASM");
    const { witnessTimeout = WITNESS_TIMEOUT_MS, witnessMemory = WITNESS_MEMORY_BYTES } = this.context.configured;
    const limits = { witnessTimeout, witnessMemory, ...this.context.downloadLimit };
    return this.proveWith(zkey, { inputs: given as CircuitInputs, circuit: source }, limits, logger);
  };

  readonly verify = async (
    verificationKey: unknown,
    publicSignals: unknown,
    proof: unknown,
    logger?: Logger,
  ): Promise<boolean> => {
    const given = this.statementOf(verificationKey, publicSignals, proof);
    const holds = await this.verifies(given);
    if (holds) this.usesKey(given.verificationKey as Key['verificationKey'], logger);
    if (holds) logger?.info?.('OK!');
    else logger?.error?.('Invalid proof');
    return holds;
  };

  readonly exportSolidityCallData = async (proof: unknown, publicSignals: unknown): Promise<string> => {
    // snarkjs takes a proof and its public signals, but with FFLONK the signals come first.
    const [made, signals] = Array.isArray(proof) ? [publicSignals, proof] : [proof, publicSignals];
    try {
      return this.calldata(made as Proof, (signals as (string | bigint)[]).map(calldataWord));
    } catch (cause) {
      const message = `expected a ${this.protocol} proof and public signals in snarkjs' JSON form, got something else`;
      throw new PippinError('MALFORMED_FILE', message, { cause });
    }
  };

  /**
   * The text of snarkjs' `exportSolidityCallData`: of any numbers, whether or not they are a proof.
   *
   * @param signals as words.
   */
  protected abstract calldata(proof: Proof, signals: readonly string[]): string;

  /** What the options say about keys, as `loadKey` and `verify` take it. */
  protected expectations(): Pick<VerifyOptions, 'allowUnfinished'> {
    return {};
  }

  /** Called with the verification key of each key that a call works with. */
  protected usesKey(_key: Key['verificationKey'], _logger: Logger | undefined): void {}

  /** What snarkjs does not read of a verification key, as our verifier needs it; undefined for what is no key. */
  protected assumedOf(_key: Readonly<Record<string, unknown>>): object | undefined {
    return {};
  }

  /**
   * Makes a proof with a key, which is loaded if it is not. Unless the options say otherwise, keys of set-ups without a
   * contribution are taken, as in snarkjs.
   */
  private async proveWith(
    zkey: InputFile,
    input: ProofInput,
    options: object,
    logger: Logger | undefined,
  ): Promise<SnarkjsProofResult<Proof>> {
    // One for loading and proving.
    const log = phaseLog(logger);
    const { maxBytes } = this.context.configured;
    const expected = this.expectations();
    const { identity, bytes, open } = await this.keyFiles.find(this.context.sourceOf(zkey, 'a .zkey'), maxBytes);
    return this.context.prover.use(async (prover, keys) => {
      const load = async (): Promise<Key> =>
        systemOf<Key>(prover, this.protocol).loadKey(await open(), { ...expected, transfer: true, ...log });
      const prove = async (key: Key): Promise<ProveResultOf<Key>> => {
        this.usesKey(key.verificationKey, logger);
        return proveWith(prover, key, input, { ...options, ...log });
      };
      const { proof, publicSignals } = await keys.use({ id: this.idOf(identity), bytes, load }, {}, prove);
      return { proof: proof as Proof, publicSignals: [...publicSignals] };
    });
  }

  /** A file is a key of one proof system alone, but a call of another must get the error for it. */
  private idOf(identity: string): string {
    return `${this.protocol} ${identity}`;
  }

  /**
   * A copy of what `verify` is given. Of a key snarkjs reads its curve and points, and not which protocol it names; of
   * a proof its points and values.
   */
  private statementOf(key: unknown, publicSignals: unknown, proof: unknown): Statement {
    const { protocol } = this;
    const verificationKey = withDecimals(key);
    const values = withDecimals(proof);
    const assumed = isRecord(verificationKey) ? this.assumedOf(verificationKey) : undefined;
    const curve = assumed === undefined ? undefined : (verificationKey as { curve?: unknown }).curve;
    return {
      verificationKey: (assumed === undefined
        ? verificationKey
        : { ...(verificationKey as object), protocol, ...assumed }) as VerificationKeyJson,
      publicSignals: withDecimals(publicSignals) as string[],
      proof: (isRecord(values) ? { ...values, protocol, curve } : values) as ProofJson,
    };
  }

  /** Also false for a point that cannot be one, for which snarkjs has no error either. */
  private async verifies({ verificationKey, publicSignals, proof }: Statement): Promise<boolean> {
    const expected = this.expectations();
    try {
      return await this.context.prover.use((prover) =>
        systemOf<Key>(prover, this.protocol).verify(verificationKey, publicSignals, proof, expected),
      );
    } catch (error) {
      if (error instanceof PippinError && error.code === 'INVALID_POINT') return false;
      throw error;
    }
  }
}

interface Statement {
  readonly verificationKey: VerificationKeyJson;
  readonly publicSignals: string[];
  readonly proof: ProofJson;
}

/** The same JSON with hexadecimal numbers, as contracts give them, in decimals: snarkjs takes both. */
function withDecimals(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]+$/i.test(value) ? String(BigInt(value)) : value;
  if (Array.isArray(value)) return value.map(withDecimals);
  if (!isObject(value)) return value;
  return ownMembers(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDecimals(member)])));
}

/** A word of the EVM in hexadecimal, as calldata has it. */
export function calldataWord(value: unknown): string {
  return `0x${BigInt(value as string)
    .toString(16)
    .padStart(64, '0')}`;
}
