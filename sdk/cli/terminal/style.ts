import { styleText } from 'node:util';

/** What is known of an output: whether it is a terminal, and how wide. */
export type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;
type Environment = Readonly<Record<string, string | undefined>>;
type Format = 'bold' | 'dim' | 'cyan';

const DEFAULT_COLUMNS = 80;

/**
 * The columns of a terminal; undefined for a pipe or a file. Some terminals tell 0 columns, which means that they do
 * not know.
 */
export function columnsOf({ isTTY, columns }: Output): number | undefined {
  return isTTY ? columns || DEFAULT_COLUMNS : undefined;
}

/** Whether an output is a terminal on which a line can be written anew. */
export function isLively(output: Output, env: Environment = process.env): boolean {
  return output.isTTY === true && env.TERM !== 'dumb';
}

/**
 * Writes in colours and weights on a terminal that has them, unless NO_COLOR (https://no-color.org) is set and not
 * empty.
 */
export function painter(output: Output, env: Environment = process.env): (format: Format, text: string) => string {
  const isPlain = !isLively(output, env) || (env.NO_COLOR ?? '') !== '';
  return (format, text) => (isPlain || text === '' ? text : styleText(format, text, { validateStream: false }));
}

/**
 * Whether the terminal shows characters beyond ASCII, as the locale tells (POSIX: LC_ALL before LC_CTYPE before LANG).
 */
export function hasUnicode(env: Environment = process.env, platform: string = process.platform): boolean {
  if (platform === 'win32') return env.WT_SESSION !== undefined;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}
