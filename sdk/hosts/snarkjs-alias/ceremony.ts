import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/is-object.js';
import type {
  CeremonyOptions,
  CeremonyReport,
  NewKey,
  NewKeyOptions,
  VerifyContributionsOptions,
} from '../../ceremony/api.js';
import type { UniversalProtocol, UniversalSetUpKey } from '../../ceremony/universal/api.js';
import { CURVES, type Curve } from '../../curves/index.js';
import { curveOfName } from '../../files/snarkjs/known-curves.js';
import type { AliasPlatform } from './alias-platform.js';
import { type AliasProver, downloadLimit } from './alias-prover.js';
import type { InputFile, Logger, OutputFile } from './api.js';
import { sourceOf, writeTo } from './files.js';

/** As snarkjs has them. */
type BeaconArguments = [
  zkey: InputFile,
  made: OutputFile,
  name: string | undefined,
  hash: string | Uint8Array,
  iterations: number | string,
  logger?: Logger,
];

/** A curve of `curves.getCurveFromName`, here or in snarkjs. */
export interface NamedCurve {
  readonly name: string;
}

/** `CURVE_MISMATCH` for one that is none of snarkjs. */
export function knownCurve(curve: NamedCurve): Curve {
  const found = typeof curve?.name === 'string' ? curveOfName(curve.name) : undefined;
  if (found !== undefined) return CURVES[found.id];
  throw new PippinError('CURVE_MISMATCH', `expected a curve of snarkjs, got ${String(curve?.name)}`);
}

/** The calls of snarkjs' `zKey` for a set-up and its phase 2. Their code is loaded with the first of them. */
export class AliasCeremony {
  constructor(
    protected readonly platform: AliasPlatform,
    protected readonly shared: AliasProver,
  ) {}

  newZKey = async (r1cs: InputFile, ptau: InputFile, made: OutputFile, logger?: Logger): Promise<Uint8Array> => {
    const { newKey } = await this.platform.loadCeremonies();
    const { zkey, circuitHash } = await newKey(
      sourceOf(this.platform, r1cs, 'an .r1cs'),
      sourceOf(this.platform, ptau, 'a .ptau'),
      this.newKey(made, undefined),
    );
    await this.keep(zkey, made);
    logger?.info?.(hashText('Circuit hash: ', circuitHash));
    return bytesOfHash(circuitHash);
  };

  setUpPlonk = async (r1cs: InputFile, ptau: InputFile, made: OutputFile, logger?: Logger): Promise<void> => {
    logger?.info?.('Reading r1cs');
    const { gates } = await this.setUpUniversal('plonk', r1cs, ptau, made);
    logger?.info?.(`Plonk constraints: ${gates}`);
    logger?.info?.('Setup Finished');
  };

  setUpFflonk = async (r1cs: InputFile, ptau: InputFile, made: OutputFile, logger?: Logger): Promise<0> => {
    logger?.info?.('FFLONK SETUP STARTED');
    const { gates, domainSize } = await this.setUpUniversal('fflonk', r1cs, ptau, made);
    logger?.info?.(`  Domain size:   ${domainSize}`);
    logger?.info?.(`  Constraints:   ${gates}`);
    logger?.info?.('FFLONK SETUP FINISHED');
    return 0;
  };

  private async setUpUniversal(
    protocol: UniversalProtocol,
    r1cs: InputFile,
    ptau: InputFile,
    made: OutputFile,
  ): Promise<UniversalSetUpKey> {
    const { newUniversalKey } = await this.platform.loadCeremonies();
    const key = await newUniversalKey(
      sourceOf(this.platform, r1cs, 'an .r1cs'),
      sourceOf(this.platform, ptau, 'a .ptau'),
      { ...this.newKey(made, undefined), protocol },
    );
    await this.keep(key.zkey, made);
    return key;
  }

  contribute = async (
    zkey: InputFile,
    made: OutputFile,
    name?: string,
    entropy?: string,
    logger?: Logger,
  ): Promise<Uint8Array> => {
    const { contribute } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, name), ...(entropy && { entropy }) };
    const key = await contribute(sourceOf(this.platform, zkey, 'a .zkey'), options);
    logger?.info?.(hashText('Circuit Hash: ', key.circuitHash));
    return this.written(key, made, logger);
  };

  beacon = async (...[zkey, made, name, hash, iterations, logger]: BeaconArguments): Promise<Uint8Array> => {
    const { beacon } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, name), hash, iterations: Number(iterations) };
    const key = await beacon(sourceOf(this.platform, zkey, 'a .zkey'), options);
    return this.written(key, made, logger);
  };

  verifyFromInit = async (first: InputFile, ptau: InputFile, zkey: InputFile, logger?: Logger): Promise<boolean> =>
    this.verify(zkey, { first: sourceOf(this.platform, first, 'the first .zkey') }, ptau, logger);

  verifyFromR1cs = async (r1cs: InputFile, ptau: InputFile, zkey: InputFile, logger?: Logger): Promise<boolean> =>
    this.verify(zkey, { r1cs: sourceOf(this.platform, r1cs, 'an .r1cs') }, ptau, logger);

  exportBellman = async (zkey: InputFile, made: OutputFile, _logger?: Logger): Promise<void> => {
    const { exportBellman } = await this.platform.loadCeremonies();
    const file = await exportBellman(sourceOf(this.platform, zkey, 'a .zkey'), this.newKey(made, undefined));
    await this.keep(file.params, made);
  };

  bellmanContribute = async (
    curve: NamedCurve,
    params: InputFile,
    made: OutputFile,
    entropy?: string,
    logger?: Logger,
  ): Promise<Uint8Array> => {
    const { id } = knownCurve(curve);
    const { contributeBellman } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, undefined), curve: id, ...(entropy && { entropy }) };
    const file = await contributeBellman(sourceOf(this.platform, params, "bellman's parameters"), options);
    await this.keep(file.params, made);
    logger?.info?.(hashText('Contribution Hash: ', file.hash));
    return bytesOfHash(file.hash);
  };

  importBellman = async (
    zkey: InputFile,
    params: InputFile,
    made: OutputFile,
    name?: string,
    _logger?: Logger,
  ): Promise<true> => {
    const { importBellman } = await this.platform.loadCeremonies();
    const key = await importBellman(
      sourceOf(this.platform, zkey, 'a .zkey'),
      sourceOf(this.platform, params, "bellman's parameters"),
      this.newKey(made, name),
    );
    await this.keep(key.zkey, made);
    return true;
  };

  private async verify(
    zkey: InputFile,
    from: Pick<VerifyContributionsOptions, 'first' | 'r1cs'>,
    ptau: InputFile,
    logger: Logger | undefined,
  ): Promise<boolean> {
    const { verifyContributions } = await this.platform.loadCeremonies();
    const options = { ...this.options(), ...from, ptau: sourceOf(this.platform, ptau, 'a .ptau') };
    return logReport(await verifyContributions(sourceOf(this.platform, zkey, 'a .zkey'), options), logger);
  }

  /** What the prover's options say of workers and files holds for ceremonies as well. */
  protected options(): CeremonyOptions {
    const { configured } = this.shared;
    const { threads, assets } = ownMembers(configured.prover ?? {});
    return {
      ...downloadLimit(configured),
      ...(threads !== undefined && threads > 0 && { threads }),
      ...(assets !== undefined && { assets }),
    };
  }

  protected newKey(made: OutputFile, name: string | undefined): NewKeyOptions {
    const path = this.pathOf(made);
    return { ...this.options(), ...(name && { name }), ...(path !== undefined && { to: path }) };
  }

  /** Where there are paths, a key is written to one piece by piece. */
  private pathOf(file: OutputFile): string | undefined {
    if (this.platform.writeFile === undefined) return undefined;
    const path = typeof file === 'string' ? file : file?.type === 'file' ? file.fileName : undefined;
    return path === undefined ? undefined : this.platform.locationOf(path);
  }

  private async written({ zkey, hash }: NewKey, made: OutputFile, logger: Logger | undefined): Promise<Uint8Array> {
    await this.keep(zkey, made);
    logger?.info?.(hashText('Contribution Hash: ', hash));
    return bytesOfHash(hash);
  }

  /** Puts what was not written to a path where the caller says. */
  protected async keep(file: Blob | undefined, made: OutputFile): Promise<void> {
    if (file !== undefined) await writeTo(made, new Uint8Array(await file.arrayBuffer()), this.platform.writeFile);
  }
}

/** Logs what snarkjs logs of a verification, and returns whether the key is valid. */
function logReport(
  { isValid, fault, circuitHash, contributions }: CeremonyReport,
  logger: Logger | undefined,
): boolean {
  if (!isValid) {
    logger?.error?.(`INVALID: ${fault}`);
    return false;
  }
  logger?.info?.(hashText('Circuit Hash: ', circuitHash));
  for (const [i, { name = '', hash, beacon }] of [...contributions.entries()].reverse()) {
    logger?.info?.('-------------------------');
    logger?.info?.(hashText(`contribution #${i + 1} ${name}:`, hash));
    if (beacon === undefined) continue;
    logger?.info?.(`Beacon generator: ${beacon.hash}`);
    logger?.info?.(`Beacon iterations Exp: ${beacon.iterations}`);
  }
  logger?.info?.('-------------------------');
  logger?.info?.('ZKey Ok!');
  return true;
}

export function bytesOfHash(hash: string): Uint8Array {
  return Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A hash below its title, as snarkjs logs it. */
export function hashText(title: string, hash: string): string {
  const words = hash.match(/.{8}/g) ?? [];
  return [title, ...[0, 4, 8, 12].map((at) => `\t\t${words.slice(at, at + 4).join(' ')}`)].join('\n');
}
