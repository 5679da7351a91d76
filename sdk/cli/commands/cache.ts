import { asPippinError } from '../../base/errors.js';
import { record } from '../../base/records.js';
import { CURVES } from '../../curves/index.js';
import {
  type FolderRecord,
  folderRecords,
  nameOfRecord,
  removeFolderRecords,
} from '../../files/cache/folder-records.js';
import { storeFolder } from '../../files/cache/folder-store.js';
import { FORMAT_VERSION, readRecordKey } from '../../files/cache/record-key.js';
import { MAX_NAME } from '../../files/source-name.js';
import { defaultCacheDirectory } from '../../hosts/node/node-engine.js';
import { PROTOCOLS } from '../../proofs/parts.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { type Option, usageError } from '../option.js';
import { bytesText, lineText, sinceText, table } from '../text.js';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of an age such as 12h or 30d. */
const age: Option<number> = {
  value: 'AGE',
  help: 'with clear, delete only what was not used for so long, such as 30d, 12h or 10m',
  read(given, name) {
    const [, count, unit] = /^([0-9]+)([mhd])$/.exec(given) ?? [];
    if (count !== undefined && unit !== undefined) return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
    throw usageError(
      `expected ${name} as a number of minutes, hours or days, got ${given}`,
      `for example ${name} 30d, 12h or 10m`,
    );
  },
};

export const cacheCommand = defineCommand({
  name: 'cache',
  topic: 'machine',
  summary: 'list what Pippin has prepared on disk, or delete it',
  usage: 'ls|clear [--older-than AGE] [--json]',
  operand: { value: 'ls|clear', help: 'list the records, or delete them', words: ['ls', 'clear'] },
  options: { 'older-than': age },
  notes: [
    'The cache holds the points of keys as they were prepared, files that were downloaded, and what pippin tune measured. What is deleted is made or downloaded again when it is needed. Applications may keep caches of their own elsewhere (the option cache of createProver).',
    'The folder is pippin in $XDG_CACHE_HOME, or in ~/.cache.',
  ],
  examples: ['pippin cache ls', 'pippin cache clear --older-than 30d'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work({ 'older-than': olderThan }, context, action) {
    if (action === 'ls' && olderThan !== undefined) {
      throw usageError('expected --older-than with clear, got it with ls', 'pippin cache clear --older-than 30d');
    }
    const directory = defaultCacheDirectory();
    try {
      const records = await folderRecords(directory);
      if (action === 'ls') await list(directory, records, context);
      else await clear(directory, records, olderThan, context);
    } catch (error) {
      throw asPippinError(error, 'IO_FAILED', 'expected to read and write the cache, got');
    }
    return 0;
  },
});

async function list(directory: string, records: readonly FolderRecord[], context: Context): Promise<void> {
  const described: (RecordDescription & FolderRecord & { readonly name?: string })[] = [];
  for (const record of records) {
    const name = await nameOfRecord(directory, record);
    described.push({
      ...describeRecord(record),
      ...(name === undefined ? {} : { name: lineText(name, MAX_NAME) }),
      ...record,
    });
  }
  const bytes = sizeOf(records);
  const folder = storeFolder(directory);
  const rows = described.map(({ kind, name, curve, source, bytes: size, lastUse }) => [
    kind,
    name ?? '-',
    curve ?? '',
    bytesText(size),
    sinceText(lastUse),
    source === undefined ? '' : `${bytesText(source.bytes)}, ${lineText(source.hash, 12)}`,
  ]);
  const titles = ['Kind', 'Name', 'Curve', 'Size', 'Last use', 'Made from (size, hash)'];
  const listed = rows.length === 0 ? 'Nothing is cached.' : table([titles, ...rows]);
  const objects = described.map(({ isComplete: _, lastUse, ...facts }) => ({
    ...facts,
    lastUse: lastUse.toISOString(),
  }));
  await context.result({ folder, bytes, records: objects }, `${listed}\n\n${bytesText(bytes)} in ${folder}`);
}

async function clear(
  directory: string,
  records: readonly FolderRecord[],
  olderThan: number | undefined,
  context: Context,
): Promise<void> {
  const latest = Date.now() - (olderThan ?? 0);
  const chosen = olderThan === undefined ? records : records.filter(({ lastUse }) => lastUse.getTime() <= latest);
  await removeFolderRecords(directory, chosen);
  const folder = storeFolder(directory);
  const bytes = sizeOf(chosen);
  await context.result(
    { folder, removed: chosen.length, bytes, kept: records.length - chosen.length },
    `Deleted ${chosen.length} of ${records.length} records (${bytesText(bytes)}) from ${folder}`,
  );
}

function sizeOf(records: readonly FolderRecord[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A record of the cache, for a person. */
export interface RecordDescription {
  readonly kind: string;
  readonly curve?: string;
  /** What it was made from. */
  readonly source?: { readonly bytes: number; readonly hash: string };
}

/** What the engine keeps, by the words of the plans that it is kept by. */
const KINDS: Readonly<Record<string, string>> = {
  ...record(PROTOCOLS, () => 'proving key'),
  bases: 'points',
  multiples: 'multiples',
};

/** What a record is, by its key. */
export function describeRecord({ key, isComplete }: Pick<FolderRecord, 'key' | 'isComplete'>): RecordDescription {
  if (key.startsWith('map/')) return { kind: 'performance map' };
  if (key.startsWith('file/')) return { kind: isComplete ? 'downloaded file' : 'downloaded file, incomplete' };
  const facts = readRecordKey(key);
  if (facts === undefined) return { kind: 'unknown' };
  const words = facts.plan.split('/');
  const kinds = words.flatMap((word) => KINDS[word] ?? []);
  const curve = words.find((word) => Object.hasOwn(CURVES, word));
  const marks = [
    ...(isComplete ? [] : ['incomplete']),
    ...(facts.format === FORMAT_VERSION ? [] : ['of another version']),
  ];
  const kind = [kinds.length === 0 ? 'unknown' : kinds.join(' of '), ...marks].join(', ');
  return { kind, ...(curve === undefined ? {} : { curve }), source: { bytes: facts.size, hash: facts.sourceHash } };
}
