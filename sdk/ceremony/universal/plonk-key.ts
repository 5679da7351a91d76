import { joinBytes } from '../../base/bytes.js';
import { CURVES } from '../../curves/index.js';
import {
  PERMUTATIONS,
  PLONK_SECTIONS,
  plonkPowers,
  SELECTOR_SECTIONS,
  SELECTORS,
} from '../../files/snarkjs/plonk-zkey.js';
import { HEADER_SECTION } from '../../files/snarkjs/zkey-header.js';
import { toMontgomery } from '../contributions.js';
import { type NewSection, wholeSection } from '../section-writer.js';
import { type KeyRow, rowBytes } from './key-rows.js';
import type { UniversalFormat, UniversalSetUp } from './universal-set-up.js';

/** Sections of a PLONK .zkey of snarkjs. */
export const PLONK_KEY_SECTIONS = 14;

export const PLONK_FORMAT: UniversalFormat = {
  protocol: 2,
  selectors: SELECTORS,
  dropsZeros: false,
  blindedRows: 0,
  lagrangeSection: PLONK_SECTIONS.lagrange,
  powersSection: PLONK_SECTIONS.powers,
  powers: plonkPowers,
};

/** The sections of a PLONK key in the order in which snarkjs 0.7.6 writes them. The parts of each must be taken. */
export async function* plonkSections(setUp: UniversalSetUp): AsyncGenerator<NewSection> {
  yield* setUp.wiringSections();
  const size = rowBytes(setUp.domainSize);
  const { isPrepared } = setUp;
  /** What is committed to: values on the domain, or else coefficients. */
  const committed: Uint8Array[] = [];
  const rows = setUp.polynomials();
  const next = async (): Promise<KeyRow> => {
    const { value } = (await rows.next()) as IteratorYieldResult<KeyRow>;
    committed.push(isPrepared ? value.values : value.coefficients.slice());
    return value;
  };
  const permutations = async function* (): AsyncGenerator<Uint8Array> {
    for (const _ of PERMUTATIONS) yield* setUp.written(await next());
  };
  try {
    for (const name of SELECTORS) yield { id: SELECTOR_SECTIONS[name], size, parts: setUp.written(await next()) };
    yield { id: PLONK_SECTIONS.permutations, size: PERMUTATIONS.length * size, parts: permutations() };
  } finally {
    await rows.return(undefined);
  }
  yield setUp.lagrangeSection();
  const { section, commitments } = setUp.powersSection(isPrepared ? [] : committed);
  yield section;
  yield setUp.protocolSection();
  const points = await (isPrepared ? setUp.commitToValues(committed) : commitments.sum());
  const written = [...points, setUp.tauG2].map((point) => toMontgomery(CURVES[setUp.curve], point));
  yield wholeSection(HEADER_SECTION, joinBytes([setUp.headerHead(), ...written]));
}
