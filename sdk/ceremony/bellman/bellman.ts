import { wipe } from '../../base/free-memory.js';
import { OptionReader } from '../../base/option-reader.js';
import { readSource } from '../../encodings/read-source.js';
import { toHex } from '../../files/cache/sha256.js';
import type { ContributeBellman, ExportBellman, ImportBellman } from '../api.js';
import { type CeremonyPlatform, curveOf, entropyOf, outputSetupOf, textOf, withWorkers } from '../ceremony.js';
import { drawSeed } from '../contribute.js';
import { hashOfContribution } from '../contributions.js';
import { contributeToBellman } from './contribute-bellman.js';
import { writeBellman } from './export-bellman.js';
import { importBellmanTo } from './import-bellman.js';

/** The calls for bellman's parameters. */
export interface BellmanCeremonies {
  readonly exportBellman: ExportBellman;
  readonly contributeBellman: ContributeBellman;
  readonly importBellman: ImportBellman;
}

const WHAT = "bellman's parameters";

/** See the functions of the entry. */
export function bellmanOn(platform: CeremonyPlatform): BellmanCeremonies {
  return {
    async exportBellman(zkey, options) {
      const reader = new OptionReader(options, 'the options of exportBellman');
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, zkey, 'a .zkey', setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const { blob } = await setup.writeFile(({ write }) => writeBellman({ ...work, onProgress }, source, write));
          return { ...(blob && { params: blob }) };
        }),
      );
    },

    async contributeBellman(params, options) {
      const reader = new OptionReader(options, 'the options of contributeBellman');
      const curve = curveOf(reader);
      const entropy = entropyOf(reader);
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, params, WHAT, setup.files, (source) =>
        withWorkers(platform, setup, async (work) => {
          const seed = drawSeed(entropy);
          try {
            const { blob, made } = await setup.writeFile(({ write }) =>
              contributeToBellman({ ...work, onProgress }, source, { curve, seed }, write),
            );
            return { ...(blob && { params: blob }), hash: toHex(made) };
          } finally {
            wipe(seed);
          }
        }),
      );
    },

    async importBellman(zkey, params, options) {
      const reader = new OptionReader(options, 'the options of importBellman');
      const name = textOf(reader, 'name');
      const setup = outputSetupOf(platform, reader);
      const { onProgress } = setup;
      return readSource(platform, zkey, 'a .zkey', setup.files, (source) =>
        readSource(platform, params, WHAT, setup.files, (given) =>
          withWorkers(platform, setup, async (work) => {
            const { blob, made } = await setup.writeFile(({ write }) =>
              importBellmanTo({ ...work, onProgress }, source, { params: given, name }, write),
            );
            const hashes = made.added.map((record) => toHex(hashOfContribution(record)));
            return { ...(blob && { zkey: blob }), hashes, circuitHash: toHex(made.circuitHash) };
          }),
        ),
      );
    },
  };
}
