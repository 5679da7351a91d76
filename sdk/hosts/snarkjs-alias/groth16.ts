import type {
  CircuitInputs,
  Groth16Key,
  Groth16Proof,
  Groth16VerificationKey,
  ProveResult,
  Prover,
} from '../../api/index.js';
import type { ProgressEvent, ProgressListener } from '../../api/progress.js';
import { PippinError } from '../../base/errors.js';
import { isObject, isRecord, ownMembers } from '../../base/is-object.js';
import { readSource } from '../../encodings/read-source.js';
import { solidityVerifier } from '../../encodings/solidity-verifier.js';
import { verificationKeyToJson } from '../../files/snarkjs/proof-json.js';
import { readZkey } from '../../files/snarkjs/zkey.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { expectFinished } from '../../proofs/groth16/expected-key.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../prover/witness-limits.js';
import type { AliasPlatform } from './alias-platform.js';
import { type AliasProver, downloadLimit } from './alias-prover.js';
import type { InputFile, Logger, SnarkjsProof, SnarkjsProofResult } from './api.js';
import { sourceOf } from './files.js';
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

/** `groth16` of snarkjs. */
export class AliasGroth16 {
  private readonly keyFiles: KeyFiles;
  private readonly unfinishedKeys = new UnfinishedKeys();

  constructor(
    private readonly platform: AliasPlatform,
    private readonly shared: AliasProver,
  ) {
    this.keyFiles = new KeyFiles(platform, (identity) => shared.hasKey(identity));
  }

  /** Options for the prover, such as `singleThread`, are accepted and not needed. */
  readonly prove = async (
    zkey: InputFile,
    witness: InputFile,
    logger?: Logger,
    _options?: unknown,
  ): Promise<SnarkjsProofResult> => {
    const source = sourceOf(this.platform, witness, 'a witness');
    const limit = downloadLimit(this.shared.configured);
    return this.withKey(zkey, logger, (prover, key, log) => prover.groth16.prove(key, source, { ...limit, ...log }));
  };

  readonly fullProve = async (
    inputs: CircuitInputs,
    wasm: InputFile,
    zkey: InputFile,
    logger?: Logger,
    ..._options: unknown[]
  ): Promise<SnarkjsProofResult> => {
    // As in snarkjs, what the caller writes to them after the call does not count.
    const given = plainInputs(inputs);
    const source = sourceOf(this.platform, wasm, "a circuit's WASM");
    const { witnessTimeout = WITNESS_TIMEOUT_MS, witnessMemory = WITNESS_MEMORY_BYTES } = this.shared.configured;
    const limits = { witnessTimeout, witnessMemory, ...downloadLimit(this.shared.configured) };
    return this.withKey(zkey, logger, (prover, key, log) =>
      prover.groth16.fullProve(key, given, source, { ...limits, ...log }),
    );
  };

  readonly verify = async (
    verificationKey: unknown,
    publicSignals: unknown,
    proof: unknown,
    logger?: Logger,
  ): Promise<boolean> => {
    const given = statementOf(verificationKey, publicSignals, proof);
    const { allowUnfinished = true } = this.shared.configured;
    const holds = await this.shared.use((prover) => verifies(prover, given, allowUnfinished));
    if (holds) this.unfinishedKeys.warnOf(given.verificationKey, logger);
    if (holds) logger?.info?.('OK!');
    else logger?.error?.('Invalid proof');
    return holds;
  };

  readonly exportSolidityCallData = async (proof: unknown, publicSignals: unknown): Promise<string> =>
    calldata(proof as SnarkjsProof, publicSignals as string[]);

  /** `zKey.exportSolidityVerifier` of snarkjs, with a contract that is Pippin's, whatever the templates. */
  readonly exportSolidityVerifier = async (zkey: InputFile, _templates?: unknown, logger?: Logger): Promise<string> => {
    const what = 'a .zkey';
    const source = sourceOf(this.platform, zkey, what);
    const { allowUnfinished = true } = this.shared.configured;
    return readSource(this.platform, source, what, downloadLimit(this.shared.configured), async (file) => {
      logger?.info?.('EXPORT VERIFICATION KEY STARTED');
      const { curve, points } = await readZkey(file);
      if (!allowUnfinished) expectFinished(points.gamma2, points.delta2);
      const key = verificationKeyToJson(curve, points);
      this.unfinishedKeys.warnOf(key, logger);
      logger?.info?.(`> Detected protocol: ${key.protocol}`);
      logger?.info?.('EXPORT VERIFICATION KEY FINISHED');
      return solidityVerifier(curve, key);
    });
  };

  /**
   * Calls `work` with the loaded key. Unless the options say otherwise, keys of set-ups without a contribution are
   * taken, as in snarkjs.
   */
  private async withKey(
    zkey: InputFile,
    logger: Logger | undefined,
    work: (prover: Prover, key: Groth16Key, log: PhaseLog) => Promise<ProveResult>,
  ): Promise<SnarkjsProofResult> {
    // One for loading and proving.
    const log = phaseLog(logger);
    const { allowUnfinished = true, maxBytes } = this.shared.configured;
    const { identity, bytes, open } = await this.keyFiles.find(sourceOf(this.platform, zkey, 'a .zkey'), maxBytes);
    return this.shared.use(async (prover, keys) => {
      const load = async (): Promise<Groth16Key> =>
        prover.groth16.loadKey(await open(), { allowUnfinished, transfer: true, ...log });
      const { proof, publicSignals } = await keys.use({ id: identity, bytes, load }, {}, (key) => {
        this.unfinishedKeys.warnOf(key.verificationKey, logger);
        return work(prover, key, log);
      });
      return { proof: proof as unknown as SnarkjsProof, publicSignals: [...publicSignals] };
    });
  }
}

interface Statement {
  readonly verificationKey: Groth16VerificationKey;
  readonly publicSignals: string[];
  readonly proof: Groth16Proof;
}

/**
 * A copy of what `verify` is given. Of a key snarkjs reads its curve and points, and not how many signals or which
 * protocol it names; of a proof its points.
 */
function statementOf(key: unknown, publicSignals: unknown, proof: unknown): Statement {
  const verificationKey = withDecimals(key);
  const points = withDecimals(proof);
  const protocol = 'groth16';
  const isKey = isRecord(verificationKey) && Array.isArray(verificationKey.IC);
  const nPublic = isKey ? (verificationKey.IC as unknown[]).length - 1 : undefined;
  const curve = isKey ? verificationKey.curve : undefined;
  return {
    verificationKey: (isKey ? { ...verificationKey, protocol, nPublic } : verificationKey) as Groth16VerificationKey,
    publicSignals: withDecimals(publicSignals) as string[],
    proof: (isRecord(points) ? { ...points, protocol, curve } : points) as Groth16Proof,
  };
}

/** Also false for a point that cannot be one, for which snarkjs has no error either. */
async function verifies(
  prover: Prover,
  { verificationKey, publicSignals, proof }: Statement,
  allowUnfinished: boolean,
): Promise<boolean> {
  try {
    return await prover.groth16.verify(verificationKey, publicSignals, proof, { allowUnfinished });
  } catch (error) {
    if (error instanceof PippinError && error.code === 'INVALID_POINT') return false;
    throw error;
  }
}

/** The same JSON with hexadecimal numbers, as contracts give them, in decimals: snarkjs takes both. */
function withDecimals(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]+$/i.test(value) ? String(BigInt(value)) : value;
  if (Array.isArray(value)) return value.map(withDecimals);
  if (!isObject(value)) return value;
  return ownMembers(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDecimals(member)])));
}

const WARNING =
  'pippin-prover: anyone can forge proofs for this key. Its gamma and delta are equal, because its set-up has had no contribution in phase 2. ' +
  'configure({ allowUnfinished: false }) refuses such keys';

/** Warns of keys for which anyone can forge proofs, which snarkjs takes: of each once. */
class UnfinishedKeys {
  /** IC points, which identify the keys already warned of. */
  private readonly told = new Set<string>();

  /** @param key one that a call works with. A logger without `warn` leaves the warning to the console. */
  warnOf({ vk_gamma_2: gamma, vk_delta_2: delta, IC }: Groth16VerificationKey, logger: Logger | undefined): void {
    const points = String(IC.slice(0, 2));
    if (String(gamma) !== String(delta) || this.told.has(points)) return;
    this.told.add(points);
    if (logger?.warn) logger.warn(WARNING);
    else console.warn(WARNING);
  }
}

/**
 * The text of snarkjs' `exportSolidityCallData`: of any numbers, whether or not they are a proof. `solidityCalldata`
 * checks them.
 */
function calldata({ pi_a, pi_b, pi_c }: SnarkjsProof, publicSignals: readonly (string | bigint)[]): string {
  const word = (value: unknown): string =>
    `"0x${BigInt(value as string)
      .toString(16)
      .padStart(64, '0')}"`;
  const pair = (first: unknown, second: unknown): string => `[${word(first)}, ${word(second)}]`;
  const [x, y] = pi_b as [string[], string[]];
  const b = `[${pair(x[1], x[0])},${pair(y[1], y[0])}]`;
  return `${pair(pi_a[0], pi_a[1])},${b},${pair(pi_c[0], pi_c[1])},[${publicSignals.map(word).join(',')}]`;
}
