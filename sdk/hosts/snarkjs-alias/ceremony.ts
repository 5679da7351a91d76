import type { CeremonyReport, NewKey, VerifyContributionsOptions } from '../../ceremony/api.js';
import type { UniversalProtocol, UniversalSetUpKey } from '../../ceremony/universal/api.js';
import type { InputFile, Logger, OutputFile } from './api.js';
import {
  type BeaconArguments,
  bytesOfHash,
  CeremonyCalls,
  hashText,
  knownCurve,
  logBeacon,
  type NamedCurve,
} from './ceremony-calls.js';

/** Set-ups of keys, and phase 2 of snarkjs' `zKey`. */
export class AliasCeremony extends CeremonyCalls {
  newZKey = async (r1cs: InputFile, ptau: InputFile, made: OutputFile, logger?: Logger): Promise<Uint8Array> => {
    const { newKey } = await this.platform.loadCeremonies();
    const { zkey, circuitHash } = await newKey(
      this.context.sourceOf(r1cs, 'an .r1cs'),
      this.context.sourceOf(ptau, 'a .ptau'),
      this.newKey(made),
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
    const key = await newUniversalKey(this.context.sourceOf(r1cs, 'an .r1cs'), this.context.sourceOf(ptau, 'a .ptau'), {
      ...this.newKey(made),
      protocol,
    });
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
    const key = await contribute(this.context.sourceOf(zkey, 'a .zkey'), this.newKey(made, name, entropy));
    logger?.info?.(hashText('Circuit Hash: ', key.circuitHash));
    return this.written(key, made, logger);
  };

  beacon = async (
    ...[zkey, made, name, hash, iterations, logger]: [zkey: InputFile, ...BeaconArguments]
  ): Promise<Uint8Array> => {
    const { beacon } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, name), hash, iterations: Number(iterations) };
    const key = await beacon(this.context.sourceOf(zkey, 'a .zkey'), options);
    return this.written(key, made, logger);
  };

  verifyFromInit = async (first: InputFile, ptau: InputFile, zkey: InputFile, logger?: Logger): Promise<boolean> =>
    this.verify(zkey, { first: this.context.sourceOf(first, 'the first .zkey') }, ptau, logger);

  verifyFromR1cs = async (r1cs: InputFile, ptau: InputFile, zkey: InputFile, logger?: Logger): Promise<boolean> =>
    this.verify(zkey, { r1cs: this.context.sourceOf(r1cs, 'an .r1cs') }, ptau, logger);

  exportBellman = async (zkey: InputFile, made: OutputFile, _logger?: Logger): Promise<void> => {
    const { exportBellman } = await this.platform.loadCeremonies();
    const file = await exportBellman(this.context.sourceOf(zkey, 'a .zkey'), this.newKey(made));
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
    const options = { ...this.newKey(made, undefined, entropy), curve: id };
    const file = await contributeBellman(this.context.sourceOf(params, "bellman's parameters"), options);
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
      this.context.sourceOf(zkey, 'a .zkey'),
      this.context.sourceOf(params, "bellman's parameters"),
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
    const options = { ...this.verificationOptions(), ...from, ptau: this.context.sourceOf(ptau, 'a .ptau') };
    return logReport(await verifyContributions(this.context.sourceOf(zkey, 'a .zkey'), options), logger);
  }

  private async written({ zkey, hash }: NewKey, made: OutputFile, logger: Logger | undefined): Promise<Uint8Array> {
    await this.keep(zkey, made);
    logger?.info?.(hashText('Contribution Hash: ', hash));
    return bytesOfHash(hash);
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
    logBeacon(beacon, logger);
  }
  logger?.info?.('-------------------------');
  logger?.info?.('ZKey Ok!');
  return true;
}
