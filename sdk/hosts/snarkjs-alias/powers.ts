import type { PowersJson } from '../../ceremony/powers/api.js';
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

/** As snarkjs has them. */
type ImportArguments = [
  ptau: InputFile,
  response: InputFile,
  made: OutputFile,
  name?: string,
  importPoints?: boolean,
  logger?: Logger,
];

const WHAT = 'a .ptau';

/** The calls of snarkjs' `powersOfTau`. */
export class AliasPowers extends CeremonyCalls {
  newAccumulator = async (
    curve: NamedCurve,
    power: number | string,
    made: OutputFile,
    logger?: Logger,
  ): Promise<Uint8Array> => {
    const { id } = knownCurve(curve);
    const { newPowersOfTau } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made), curve: id, power: Number(power) };
    const { ptau, challenge } = await newPowersOfTau(options);
    await this.keep(ptau, made);
    logger?.info?.(hashText('First Contribution Hash:', challenge));
    return bytesOfHash(challenge);
  };

  contributeToPowers = async (
    ptau: InputFile,
    made: OutputFile,
    name?: string,
    entropy?: string,
    logger?: Logger,
  ): Promise<Uint8Array> => {
    const { contributeToPowersOfTau } = await this.platform.loadCeremonies();
    const file = await contributeToPowersOfTau(this.context.sourceOf(ptau, WHAT), this.newKey(made, name, entropy));
    await this.keep(file.ptau, made);
    return this.told(file, logger);
  };

  beaconOfPowers = async (
    ...[ptau, made, name, hash, iterations, logger]: [ptau: InputFile, ...BeaconArguments]
  ): Promise<Uint8Array> => {
    const { addBeaconToPowersOfTau } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, name), hash, iterations: Number(iterations) };
    const file = await addBeaconToPowersOfTau(this.context.sourceOf(ptau, WHAT), options);
    await this.keep(file.ptau, made);
    return this.told(file, logger);
  };

  verifyPowers = async (ptau: InputFile, logger?: Logger): Promise<boolean> => {
    const { verifyPowersOfTau } = await this.platform.loadCeremonies();
    const report = await verifyPowersOfTau(this.context.sourceOf(ptau, WHAT), this.verificationOptions());
    const { isValid, fault, contributions, isPrepared } = report;
    if (!isValid) {
      logger?.error?.(`INVALID: ${fault}`);
      return false;
    }
    for (const [i, { name = '', hash, nextChallenge, beacon }] of [...contributions.entries()].reverse()) {
      logger?.info?.('-----------------------------------------------------');
      logger?.info?.(`Contribution #${i + 1}: ${name}`);
      logger?.info?.(hashText('Next Challenge: ', nextChallenge));
      logger?.info?.(hashText('Response Hash:', hash));
      logBeacon(beacon, logger);
    }
    if (!isPrepared) logger?.warn?.('not prepared for phase 2: powersOfTau.preparePhase2 does it');
    logger?.info?.('Powers of Tau Ok!');
    return true;
  };

  preparePhase2 = async (ptau: InputFile, made: OutputFile, _logger?: Logger): Promise<void> => {
    const { preparePowersOfTau } = await this.platform.loadCeremonies();
    const file = await preparePowersOfTau(this.context.sourceOf(ptau, WHAT), this.newKey(made));
    await this.keep(file.ptau, made);
  };

  convert = async (ptau: InputFile, made: OutputFile, _logger?: Logger): Promise<void> => {
    const { convertPowersOfTau } = await this.platform.loadCeremonies();
    const file = await convertPowersOfTau(this.context.sourceOf(ptau, WHAT), this.newKey(made, undefined));
    await this.keep(file.ptau, made);
  };

  exportPowersJson = async (ptau: InputFile, _verbose?: unknown): Promise<PowersJson> => {
    const { powersOfTauToJson } = await this.platform.loadCeremonies();
    return powersOfTauToJson(this.context.sourceOf(ptau, WHAT), this.context.downloadLimit);
  };

  truncate = async (ptau: InputFile, template: string, _logger?: Logger): Promise<true> => {
    const { truncatePowersOfTau } = await this.platform.loadCeremonies();
    for (let power = 1, end = 2; power < end; power++) {
      const made = `${template}${String(power).padStart(2, '0')}.ptau`;
      const options = { ...this.newKey(made), power };
      const file = await truncatePowersOfTau(this.context.sourceOf(ptau, WHAT), options);
      await this.keep(file.ptau, made);
      end = file.sourcePower;
    }
    return true;
  };

  exportChallenge = async (ptau: InputFile, made: OutputFile, logger?: Logger): Promise<Uint8Array> => {
    const { exportChallenge } = await this.platform.loadCeremonies();
    const { challenge, hash } = await exportChallenge(this.context.sourceOf(ptau, WHAT), this.newKey(made));
    await this.keep(challenge, made);
    logger?.info?.(hashText('New Challenge Hash: ', hash));
    return bytesOfHash(hash);
  };

  challengeContribute = async (
    curve: NamedCurve,
    challenge: InputFile,
    made: OutputFile,
    entropy?: string,
    logger?: Logger,
  ): Promise<void> => {
    const { id } = knownCurve(curve);
    const { respondToChallenge } = await this.platform.loadCeremonies();
    const options = { ...this.newKey(made, undefined, entropy), curve: id };
    const file = await respondToChallenge(this.context.sourceOf(challenge, 'a challenge'), options);
    await this.keep(file.response, made);
    logger?.info?.(hashText('Current Challenge Hash: ', file.challenge));
    logger?.info?.(hashText('Contribution Response Hash: ', file.hash));
  };

  importResponse = async (...[ptau, response, made, name, points, logger]: ImportArguments): Promise<Uint8Array> => {
    const { importResponse } = await this.platform.loadCeremonies();
    const file = await importResponse(
      this.context.sourceOf(ptau, WHAT),
      this.context.sourceOf(response, 'a response'),
      { ...this.newKey(made, name), points: Boolean(points) },
    );
    await this.keep(file.ptau, made);
    this.told(file, logger);
    return bytesOfHash(file.nextChallenge);
  };

  private told(
    { hash, nextChallenge }: { readonly hash: string; readonly nextChallenge: string },
    logger: Logger | undefined,
  ): Uint8Array {
    logger?.info?.(hashText('Contribution Response Hash imported: ', hash));
    logger?.info?.(hashText('Next Challenge Hash: ', nextChallenge));
    return bytesOfHash(hash);
  }
}
