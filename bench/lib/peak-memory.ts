import { existsSync, readFileSync } from 'node:fs';

/**
 * The largest resident set of this process so far in MiB, its worker threads included. Read from /proc where that exists,
 * because on Linux `maxRSS` also counts the process that started this one.
 */
export function peakMebibytes(): number {
  const status = '/proc/self/status';
  const [, kibibytes] = (existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s*(\d+) kB$/m)) || [];
  return (kibibytes === undefined ? process.resourceUsage().maxRSS : Number(kibibytes)) / 1024;
}
