import type { BinarySource } from '../../api/index.js';
import { wipe } from '../../base/free-memory.js';
import { OptionReader } from '../../base/option-reader.js';
import { filesOf, readSource } from '../../encodings/read-source.js';
import { toHex } from '../../files/cache/sha256.js';
import { GrowingBytes } from '../../files/growing-bytes.js';
import { MAX_POWER } from '../../files/snarkjs/ptau.js';
import { beaconLimitOf, beaconSeed } from '../beacon-seed.js';
import {
  beaconOf,
  type CallSetup,
  type CeremonyPlatform,
  curveOf,
  entropyOf,
  outputSetupOf,
  setupOf,
  textOf,
  withWorkers,
} from '../ceremony.js';
import { drawSeed } from '../contribute.js';
import type { BeaconParameters } from '../contributions.js';
import type { NewOutput } from '../new-output.js';
import type {
  AddBeaconToPowersOfTau,
  ContributedPowers,
  ContributeToPowersOfTau,
  ConvertPowersOfTau,
  ExportChallenge,
  ImportResponse,
  NewPowersOfTau,
  PowersOfTauToJson,
  PowersReport,
  PreparePowersOfTau,
  RespondToChallenge,
  TruncatePowersOfTau,
  VerifyPowersOfTau,
} from './api.js';
import { writeChallenge, writeResponse } from './challenge.js';
import { contributeToPowers, type PowersOutput } from './contribute-powers.js';
import { importResponseTo } from './import-response.js';
import { writeNewPowers } from './new-powers.js';
import { LAGRANGE } from './powers-file.js';
import type { PowersRecord } from './powers-history.js';
import { powersJson } from './powers-json.js';
import { writePreparedPowers } from './prepare-powers.js';
import { writeConvertedPowers, writeTruncatedPowers } from './rewrite-powers.js';
import { faultOfPowers } from './verify-powers.js';

/** The calls for powers of tau. */
export interface PowersOfTau {
  readonly newPowersOfTau: NewPowersOfTau;
  readonly contributeToPowersOfTau: ContributeToPowersOfTau;
  readonly addBeaconToPowersOfTau: AddBeaconToPowersOfTau;
  readonly verifyPowersOfTau: VerifyPowersOfTau;
  readonly preparePowersOfTau: PreparePowersOfTau;
  readonly convertPowersOfTau: ConvertPowersOfTau;
  readonly truncatePowersOfTau: TruncatePowersOfTau;
  readonly powersOfTauToJson: PowersOfTauToJson;
  readonly exportChallenge: ExportChallenge;
  readonly respondToChallenge: RespondToChallenge;
  readonly importResponse: ImportResponse;
}

const WHAT = 'a .ptau';

/** See the functions of the entry. */
export function powersOfTauOn(platform: CeremonyPlatform): PowersOfTau {
  async function addContribution(
    ptau: BinarySource,
    reader: OptionReader,
    seedOf: (setup: CallSetup) => Promise<Uint8Array>,
    beacon?: BeaconParameters,
  ): Promise<ContributedPowers> {
    const name = textOf(reader, 'name');
    const setup = outputSetupOf(platform, reader);
    return readSource(platform, ptau, WHAT, setup.files, (source) =>
      withWorkers(platform, setup, async (work) => {
        const seed = await seedOf(setup);
        const { onProgress } = setup;
        try {
          const { blob, made } = await setup.writeFile((file) =>
            contributeToPowers(source, seed, readable(file), { ...work, name, beacon, onProgress }),
          );
          return contributed(blob, made);
        } finally {
          wipe(seed);
        }
      }),
    );
  }

  return {
    async newPowersOfTau(options) {
      const reader = new OptionReader(options, 'the options of newPowersOfTau');
      const curve = curveOf(reader);
      const power = powerOf(reader);
      const { files, onProgress, writeFile } = outputSetupOf(platform, reader);
      const { blob, made } = await writeFile(({ write }) =>
        writeNewPowers(curve, power, write, { signal: files.signal, newHash: platform.newHash, onProgress }),
      );
      return { ...(blob && { ptau: blob }), challenge: toHex(made) };
    },

    async contributeToPowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of contributeToPowersOfTau');
      const entropy = entropyOf(reader);
      return addContribution(ptau, reader, async () => drawSeed(entropy));
    },

    async addBeaconToPowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of addBeaconToPowersOfTau');
      const parameters = beaconOf(reader);
      return addContribution(ptau, reader, ({ files }) => beaconSeed(parameters, files.signal), parameters);
    },

    async verifyPowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of verifyPowersOfTau');
      const limit = { maxBeaconIterations: beaconLimitOf(reader) };
      const setup = setupOf(platform, reader);
      reader.expectNoOthers();
      const { onProgress } = setup;
      return readSource(platform, ptau, WHAT, setup.files, (source) =>
        withWorkers(platform, setup, async (work) =>
          reportOf(await faultOfPowers({ ...work, onProgress }, source, limit)),
        ),
      );
    },

    async preparePowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of preparePowersOfTau');
      const setup = outputSetupOf(platform, reader);
      return readSource(platform, ptau, WHAT, setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const { blob } = await setup.writeFile(({ write }) =>
            writePreparedPowers(work, source, write, setup.onProgress),
          );
          return { ...(blob && { ptau: blob }), backend: work.gpu.backend };
        }),
      );
    },

    async convertPowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of convertPowersOfTau');
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, ptau, WHAT, setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const { blob } = await setup.writeFile(({ write }) =>
            writeConvertedPowers({ ...work, onProgress }, source, write),
          );
          return { ...(blob && { ptau: blob }) };
        }),
      );
    },

    async powersOfTauToJson(ptau, options) {
      const reader = new OptionReader(options, 'the options of powersOfTauToJson');
      const files = filesOf(reader);
      reader.expectNoOthers();
      return readSource(platform, ptau, WHAT, files, (source) => powersJson(source, files.signal));
    },

    async truncatePowersOfTau(ptau, options) {
      const reader = new OptionReader(options, 'the options of truncatePowersOfTau');
      const power = powerOf(reader);
      const { files, onProgress, writeFile } = outputSetupOf(platform, reader);
      return readSource(platform, ptau, WHAT, files, async (source) => {
        const { blob, made } = await writeFile(({ write }) =>
          writeTruncatedPowers(source, power, write, { signal: files.signal, onProgress }),
        );
        return { ...(blob && { ptau: blob }), sourcePower: made };
      });
    },

    async exportChallenge(ptau, options) {
      const reader = new OptionReader(options, 'the options of exportChallenge');
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, ptau, WHAT, setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const { blob, made } = await setup.writeFile(({ write }) =>
            writeChallenge({ ...work, onProgress }, source, write),
          );
          return { ...(blob && { challenge: blob }), hash: toHex(made) };
        }),
      );
    },

    async respondToChallenge(challenge, options) {
      const reader = new OptionReader(options, 'the options of respondToChallenge');
      const curve = curveOf(reader);
      const entropy = entropyOf(reader);
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, challenge, 'a challenge', setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const seed = drawSeed(entropy);
          try {
            const { blob, made } = await setup.writeFile(({ write }) =>
              writeResponse({ ...work, onProgress }, { challenge: source, curve, seed }, write),
            );
            return { ...(blob && { response: blob }), challenge: toHex(made.challenge), hash: toHex(made.hash) };
          } finally {
            wipe(seed);
          }
        }),
      );
    },

    async importResponse(ptau, response, options) {
      const reader = new OptionReader(options, 'the options of importResponse');
      const name = textOf(reader, 'name');
      const hasPoints = reader.flag('points', true);
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, ptau, WHAT, setup.files, (source) =>
        readSource(platform, response, 'a response', setup.files, (given) =>
          withWorkers(platform, setup, async (work) => {
            const imported = { response: given, name, hasPoints };
            const { blob, made } = await setup.writeFile((file) =>
              importResponseTo({ ...work, onProgress }, source, imported, readable(file)),
            );
            return contributed(blob, made);
          }),
        ),
      );
    },
  };
}

function powerOf(reader: OptionReader): number {
  const power = reader.integer('power', 1, MAX_POWER);
  if (power === undefined) throw reader.wrong('power', `an integer from 1 to ${MAX_POWER}`, undefined);
  return power;
}

function contributed(blob: Blob | undefined, { hash, nextChallenge }: PowersRecord): ContributedPowers {
  return { ...(blob && { ptau: blob }), hash: toHex(hash), nextChallenge: toHex(nextChallenge) };
}

/** What is written to a stream is kept, to be read again. */
function readable({ write, read }: NewOutput): PowersOutput {
  if (read !== undefined) return { write, read };
  const kept = new GrowingBytes();
  return {
    async write(bytes) {
      kept.append(bytes.slice() as Uint8Array<ArrayBuffer>);
      await write(bytes);
    },
    read: (offset, length) => kept.source().read(offset, length),
  };
}

function reportOf({ fault, powers }: Awaited<ReturnType<typeof faultOfPowers>>): PowersReport {
  return {
    isValid: fault === undefined,
    ...(fault !== undefined && { fault }),
    curve: powers.curve.id,
    power: powers.power,
    isPrepared: LAGRANGE.every((id) => powers.file.has(id)),
    contributions: powers.contributions.map(({ name, hash, nextChallenge, beacon }) => ({
      ...(name !== undefined && { name }),
      hash: toHex(hash),
      nextChallenge: toHex(nextChallenge),
      ...(beacon && { beacon: { hash: toHex(beacon.hash), iterations: beacon.iterations } }),
    })),
  };
}
