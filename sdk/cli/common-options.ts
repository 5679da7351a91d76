import { flag, type OptionTable } from './option.js';

/** The options that every command takes. The command line itself reads them, before the command does. */
export const COMMON_OPTIONS = {
  json: flag('print the result as one JSON object in one line; an error as {"error": {"code", "message", "hint"}}'),
  quiet: flag('write neither progress nor notes to stderr, only errors'),
  help: flag('show this help (also -h)'),
} satisfies OptionTable;
