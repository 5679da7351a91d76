import os from 'node:os';

/** Lets Node report that many processors: ffjavascript, and with it snarkjs, starts a worker for each and has no option. */
export function limitCpus(threads: number): void {
  const all = os.cpus();
  os.cpus = () => Array.from({ length: threads }, (_, i) => all[i % all.length]!);
}
