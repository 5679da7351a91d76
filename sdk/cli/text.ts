const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes for a person, such as 3.2 MiB. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** How long ago a moment was, roughly: `just now`, `5 minutes ago`, `3 days ago`. */
export function sinceText(moment: Date, now: Date = new Date()): string {
  const minutes = Math.floor((now.getTime() - moment.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  if (minutes < 48 * 60) return `${counted(Math.floor(minutes / 60), 'hour')} ago`;
  return `${counted(Math.floor(minutes / (24 * 60)), 'day')} ago`;
}

/** Milliseconds for a person: three digits, in seconds from ten of them on. */
export function msText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(3))} ms`;
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * A text of unknown origin for one line of a terminal, of at most `most` characters. Those that a terminal would act
 * on, or that nobody would see, become escapes such as `\u{1b}`.
 */
export function lineText(text: string, most: number): string {
  const escaped = (odd: string): string => `\\u{${odd.codePointAt(0)!.toString(16)}}`;
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped).slice(0, most);
}

/** Rows in columns that are as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
