import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import type { CeremonyOptions, NewKeyOptions, VerificationOptions } from '../../ceremony/api.js';
import { CURVES, type Curve } from '../../curves/index.js';
import { curveOfName } from '../../files/snarkjs/known-curves.js';
import type { Logger, OutputFile } from './api.js';
import type { AliasContext } from './context.js';
import { writeTo } from './files.js';

/** The arguments of `zKey.beacon` and `powersOfTau.beacon` after the file, as snarkjs has them. */
export type BeaconArguments = [
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

/**
 * What the calls of ceremonies share: their options, and where the file that they make goes. Their code is loaded with
 * the first of them.
 */
export abstract class CeremonyCalls {
  protected readonly platform: AliasContext['platform'];

  constructor(protected readonly context: AliasContext) {
    this.platform = context.platform;
  }

  /** What the prover's options say of workers and files holds for ceremonies as well. */
  protected options(): CeremonyOptions {
    const { configured, downloadLimit } = this.context;
    const { threads, assets } = ownMembers(configured.prover ?? {});
    return {
      ...downloadLimit,
      ...(threads !== undefined && threads > 0 && { threads }),
      ...(assets !== undefined && { assets }),
    };
  }

  /** The same for a verification. As in snarkjs, beacons may have any number of iterations. */
  protected verificationOptions(): VerificationOptions {
    return { ...this.options(), maxBeaconIterations: 63 };
  }

  /** Options of a call that makes a file, with what a contributor gives. */
  protected newKey(made: OutputFile, name?: string, entropy?: string): NewKeyOptions & { readonly entropy?: string } {
    const path = this.pathOf(made);
    return {
      ...this.options(),
      ...(name && { name }),
      ...(entropy && { entropy }),
      ...(path !== undefined && { to: path }),
    };
  }

  /** Where there are paths, a file is written to one piece by piece. */
  private pathOf(file: OutputFile): string | undefined {
    if (this.platform.writeFile === undefined) return undefined;
    const path = typeof file === 'string' ? file : file?.type === 'file' ? file.fileName : undefined;
    return path === undefined ? undefined : this.platform.locationOf(path);
  }

  /** Puts what was not written to a path where the caller says. */
  protected async keep(file: Blob | undefined, made: OutputFile): Promise<void> {
    if (file !== undefined) await writeTo(made, new Uint8Array(await file.arrayBuffer()), this.platform.writeFile);
  }
}

export function bytesOfHash(hash: string): Uint8Array {
  return Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A hash below its title, as snarkjs logs it. */
export function hashText(title: string, hash: string): string {
  const words = hash.match(/.{8}/g) ?? [];
  return [title, ...[0, 4, 8, 12].map((at) => `\t\t${words.slice(at, at + 4).join(' ')}`)].join('\n');
}

/** Logs the public value of a beacon among contributions, as snarkjs does. */
export function logBeacon(
  beacon: { readonly hash: string; readonly iterations: number } | undefined,
  logger: Logger | undefined,
): void {
  if (beacon === undefined) return;
  logger?.info?.(`Beacon generator: ${beacon.hash}`);
  logger?.info?.(`Beacon iterations Exp: ${beacon.iterations}`);
}
