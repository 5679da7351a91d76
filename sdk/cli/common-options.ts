import { flag, integer, type OptionTable, type Values } from './option.js';

/** The options that every command takes. The command line itself reads them, before the command does. */
export const COMMON_OPTIONS = {
  json: flag('print the result as one JSON object in one line; an error as {"error": {"code", "message", "hint"}}'),
  quiet: flag('write neither progress nor notes to stderr, only errors'),
  help: flag('show this help (also -h)'),
} satisfies OptionTable;

/** The option of commands that read files which may be at URLs. */
export const DOWNLOAD_OPTIONS = {
  'max-bytes': integer(
    'BYTES',
    'the most bytes that are downloaded of a file at a URL, decompressed (default: 8589934592, 8 GiB; of WASM 256 MiB, of a witness 1 GiB)',
    1,
    Number.MAX_SAFE_INTEGER,
  ),
} satisfies OptionTable;

/** The same as the calls of the SDK take it. */
export function givenMaxBytes({ 'max-bytes': maxBytes }: Values<typeof DOWNLOAD_OPTIONS>): { maxBytes?: number } {
  return maxBytes === undefined ? {} : { maxBytes };
}
