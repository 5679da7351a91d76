import os from 'node:os';

/**
 * Makes Node report `threads` processors. ffjavascript, which snarkjs uses, starts a worker for each processor and has
 * no option to change that.
 */
export function limitCpus(threads: number): void {
  const all = os.cpus();
  os.cpus = () => Array.from({ length: threads }, (_, i) => all[i % all.length]!);
}
