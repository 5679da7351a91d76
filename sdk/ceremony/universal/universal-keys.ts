import { OptionReader } from '../../base/option-reader.js';
import { readSource } from '../../encodings/read-source.js';
import { type CeremonyPlatform, outputSetupOf, withWorkers } from '../ceremony.js';
import { beginZkey, type NewSection, writeSection } from '../section-writer.js';
import type { CreateUniversalKey, UniversalProtocol } from './api.js';
import { FFLONK_FORMAT, FFLONK_KEY_SECTIONS, fflonkSections } from './fflonk-key.js';
import { PLONK_FORMAT, PLONK_KEY_SECTIONS, plonkSections } from './plonk-key.js';
import { type UniversalFormat, UniversalSetUp } from './universal-set-up.js';

/** How the keys of a proof system are made. */
interface UniversalKeys {
  readonly format: UniversalFormat;
  readonly count: number;
  sections(setUp: UniversalSetUp): AsyncGenerator<NewSection>;
}

const KEYS: Readonly<Record<UniversalProtocol, UniversalKeys>> = {
  plonk: { format: PLONK_FORMAT, count: PLONK_KEY_SECTIONS, sections: plonkSections },
  fflonk: { format: FFLONK_FORMAT, count: FFLONK_KEY_SECTIONS, sections: fflonkSections },
};

/** The call that sets up keys of PLONK and FFLONK. */
export interface UniversalSetUps {
  readonly newUniversalKey: CreateUniversalKey;
}

/** See `newUniversalKey` of the entry. */
export function universalKeysOn(platform: CeremonyPlatform): UniversalSetUps {
  return {
    async newUniversalKey(r1cs, ptau, options) {
      const reader = new OptionReader(options, 'the options of newUniversalKey');
      const protocol = reader.read('protocol');
      if (protocol !== 'plonk' && protocol !== 'fflonk')
        throw reader.wrong('protocol', '"plonk" or "fflonk"', protocol);
      const setup = outputSetupOf(platform, reader);
      const { format, count, sections } = KEYS[protocol];
      return readSource(platform, r1cs, 'an .r1cs', setup.files, (circuit) =>
        readSource(platform, ptau, 'a .ptau', setup.files, (powers) =>
          withWorkers(platform, setup, async (work) => {
            const setUp = await UniversalSetUp.open(format, work, circuit, powers, setup.onProgress);
            const { blob } = await setup.writeFile(async ({ write }) => {
              await beginZkey(write, count);
              for await (const section of sections(setUp)) await writeSection(write, section);
            });
            setup.onProgress(1);
            return { ...(blob && { zkey: blob }), gates: setUp.gates.rows.count, domainSize: setUp.domainSize };
          }),
        ),
      );
    },
  };
}
