import { bigintToBytes, equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, SCALAR_BYTES } from '../../curves/index.js';
import type { ByteSource } from '../../files/byte-source.js';
import { HEADER_SECTION, PROTOCOL_SECTION } from '../../files/snarkjs/zkey-header.js';
import type { ToldWork } from '../ceremony-work.js';
import { COPIED, headerWithDelta, openKey, ZKEY_SECTIONS } from '../contribute.js';
import {
  type ContributionRecord,
  HISTORY_SECTION,
  type History,
  hashOfContribution,
  writeHistory,
} from '../contributions.js';
import { ScaledVectors } from '../scaled-section.js';
import { beginZkey, copiedSection, type WriteKey, wholeSection, writeSection } from '../section-writer.js';
import { openBellman, VECTORS } from './params-file.js';
import { hPointsOf } from './tau-points.js';

const SECTION = { C: 8, H: 9 } as const;
/** The part of the work that is the points H. */
const SHARE_OF_H = 0.9;

/**
 * Writes a key with the contributions of bellman's parameters that were exported from it, byte for byte as
 * snarkjs 0.7.6: delta, C, H and the history are taken from the parameters, all else from the key. The contributions
 * are not verified. `INVALID_ARGUMENT` for parameters of another circuit or ceremony, `INVALID_POINT` for points that
 * are not in the group of prime order.
 *
 * @returns the circuit's hash and the contributions that are new.
 */
export async function importBellmanTo(
  work: ToldWork,
  source: ByteSource,
  { params: given, name }: { readonly params: ByteSource; readonly name: string | undefined },
  write: WriteKey,
): Promise<{ readonly circuitHash: Uint8Array; readonly added: readonly ContributionRecord[] }> {
  const { file, key, history } = await openKey(source);
  const curve = CURVES[key.curve];
  const params = await openBellman(given, curve);
  const { facts } = key;
  const counts = {
    IC: facts.publicSignals + 1,
    H: facts.domainSize - 1,
    L: facts.variables - facts.publicSignals - 1,
    A: facts.variables,
    B1: facts.variables,
    B2: facts.variables,
  };
  for (const vector of VECTORS) {
    const found = params.vectors[vector.name].count;
    if (found === counts[vector.name]) continue;
    throw notOfKey(`${counts[vector.name]} points ${vector.name}`, String(found));
  }
  const added = newContributions(history, params.history).map((record) => ({ ...record, name }));
  await work.open(key.curve);
  await beginZkey(write, ZKEY_SECTIONS);
  const copied = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await writeSection(write, copiedSection(id, file.section(id), work.signal));
  };
  await copied([PROTOCOL_SECTION]);
  await writeSection(
    write,
    wholeSection(HEADER_SECTION, await headerWithDelta(file.section(HEADER_SECTION), curve, params)),
  );
  await copied(COPIED.slice(0, 2));
  const h = await hPointsOf(work, curve, params.vectors.H, (done) => work.onProgress(SHARE_OF_H * done));
  await writeSection(write, wholeSection(SECTION.H, h));
  const L = { ...params.vectors.L, what: 'the points L' };
  // Times 1: checked, and written as a .zkey has them.
  const scaled = new ScaledVectors(work, key.curve, [L], {
    scalar: bigintToBytes(1n, SCALAR_BYTES),
    encoding: 'canonical',
    onProgress: (done) => work.onProgress(SHARE_OF_H + (1 - SHARE_OF_H) * done),
  });
  try {
    await writeSection(write, { id: SECTION.C, size: L.bytes.size, parts: scaled.points(L) });
  } finally {
    await scaled.close();
  }
  await copied(COPIED.slice(2));
  const contributions = [...history.contributions, ...added];
  await writeSection(write, wholeSection(HISTORY_SECTION, writeHistory({ ...history, contributions })));
  work.onProgress(1);
  return { circuitHash: history.circuitHash, added };
}

/** The contributions that the parameters have and the key has not; the earlier ones must be the same. */
function newContributions(ofKey: History, ofParams: History): readonly ContributionRecord[] {
  if (!equalBytes(ofKey.circuitHash, ofParams.circuitHash)) {
    throw notOfKey('the hash of the same circuit', 'another hash');
  }
  const known = ofKey.contributions.length;
  if (ofParams.contributions.length < known) {
    throw notOfKey(`at least the ${known} contributions of the key`, String(ofParams.contributions.length));
  }
  for (const [i, record] of ofKey.contributions.entries()) {
    if (equalBytes(hashOfContribution(record), hashOfContribution(ofParams.contributions[i]!))) continue;
    throw notOfKey(`contribution ${i + 1} of the key`, 'another one');
  }
  return ofParams.contributions.slice(known);
}

function notOfKey(expected: string, got: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', `expected ${expected} in bellman's parameters, got ${got}`, {
    hint: 'import the parameters to the key that they were exported from',
  });
}
