import type { CircuitInputs, Groth16Key, Groth16Proof, Groth16VerificationKey, ProveResult, Prover } from '../api.js';
import { PippinError } from '../errors.js';
import { isObject, isRecord, ownMembers } from '../is-object.js';
import { plainInputs } from '../snarkjs/circuit-inputs.js';
import { MAX_MEMORY_BYTES, MAX_TIMEOUT_MS } from '../witness-limits.js';
import type { AliasPlatform } from './alias-platform.js';
import { calldata } from './calldata.js';
import { type InputFile, sourceOf } from './files.js';
import { KeyFiles } from './key-files.js';
import { type Logger, phaseLog } from './logger.js';
import type { SharedProver } from './shared-prover.js';
import type { SnarkjsProof, SnarkjsProofResult } from './snarkjs-proof.js';

/** snarkjs bounds neither the time nor the memory of a circuit's code. */
const UNBOUNDED = { witnessTimeout: MAX_TIMEOUT_MS, witnessMemory: MAX_MEMORY_BYTES };

/** `groth16` of snarkjs. */
export class AliasGroth16 {
  private readonly keyFiles: KeyFiles;

  constructor(
    private readonly platform: AliasPlatform,
    private readonly shared: SharedProver,
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
    return this.withKey(zkey, logger, (prover, key) => prover.groth16.prove(key, source, phaseLog(logger)));
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
    return this.withKey(zkey, logger, (prover, key) =>
      prover.groth16.fullProve(key, given, source, { ...UNBOUNDED, ...phaseLog(logger) }),
    );
  };

  readonly verify = async (
    verificationKey: unknown,
    publicSignals: unknown,
    proof: unknown,
    logger?: Logger,
  ): Promise<boolean> => {
    const given = statementOf(verificationKey, publicSignals, proof);
    const holds = await this.shared.use((prover) => verifies(prover, given));
    if (holds) logger?.info?.('OK!');
    else logger?.error?.('Invalid proof');
    return holds;
  };

  readonly exportSolidityCallData = async (proof: unknown, publicSignals: unknown): Promise<string> =>
    calldata(proof as SnarkjsProof, publicSignals as string[]);

  /** Calls `work` with the loaded key. Keys of set-ups without a contribution are taken, as in snarkjs. */
  private async withKey(
    zkey: InputFile,
    logger: Logger | undefined,
    work: (prover: Prover, key: Groth16Key) => Promise<ProveResult>,
  ): Promise<SnarkjsProofResult> {
    const { identity, bytes, open } = await this.keyFiles.find(sourceOf(this.platform, zkey, 'a .zkey'));
    return this.shared.use(async (prover, keys) => {
      const load = async (): Promise<Groth16Key> =>
        prover.groth16.loadKey(await open(), { allowUnfinished: true, transfer: true, ...phaseLog(logger) });
      const { proof, publicSignals } = await keys.use(identity, bytes, load, (key) => work(prover, key));
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
async function verifies(prover: Prover, { verificationKey, publicSignals, proof }: Statement): Promise<boolean> {
  try {
    return await prover.groth16.verify(verificationKey, publicSignals, proof, { allowUnfinished: true });
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
