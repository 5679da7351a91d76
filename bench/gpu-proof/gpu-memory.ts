import { execFileSync } from 'node:child_process';

/** MB of the GPU's memory that are in use, by whomever; undefined where NVIDIA's `nvidia-smi` cannot tell. */
export function gpuMemoryInUse(): number | undefined {
  try {
    const out = execFileSync('nvidia-smi', ['--query-gpu=memory.used', '--format=csv,noheader,nounits'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // It counts in MiB.
    return (Number(String(out).split('\n')[0]) * 2 ** 20) / 1e6;
  } catch {
    return undefined;
  }
}
