import type {
  CircuitInputs,
  Groth16Key,
  Groth16Proof,
  Groth16VerificationKey,
  ProveResult,
  Prover,
} from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { isObject, isRecord, ownMembers } from '../../base/is-object.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import { WITNESS_MEMORY_BYTES, WITNESS_TIMEOUT_MS } from '../prover/witness-limits.js';
import type { AliasPlatform } from './alias-platform.js';
import { type AliasProver, downloadLimit } from './alias-prover.js';
import { type InputFile, sourceOf } from './files.js';
import { KeyFiles } from './key-files.js';
import { type Logger, type PhaseLog, phaseLog } from './logger.js';
import { calldata, type SnarkjsProof, type SnarkjsProofResult } from './snarkjs-proof.js';
import { UnfinishedKeys } from './unfinished-keys.js';

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
    _witnessOptions?: unknown,
    _options?: unknown,
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

  /** Calls `work` with the loaded key. Unless the options say otherwise, keys of set-ups without a contribution are taken, as in snarkjs. */
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

/** A copy of what `verify` is given. Of a key snarkjs reads its curve and points, and not how many signals or which protocol it names; of a proof its points. */
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
