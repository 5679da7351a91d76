import { existsSync, readFileSync } from 'node:fs';

/**
 * The largest resident set of this process so far in MiB, its worker threads included. Read from /proc where that exists,
 * because on Linux `maxRSS` also counts the process that started this one.
 */
export function peakMebibytes(): number {
  return peakOfProcess('self') ?? process.resourceUsage().maxRSS / 1024;
}

/** The same of any process, by its number; undefined where there is no /proc. */
export function peakOfProcess(pid: number | 'self'): number | undefined {
  const status = `/proc/${pid}/status`;
  const [, kibibytes] = (existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s*(\d+) kB$/m)) || [];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}
