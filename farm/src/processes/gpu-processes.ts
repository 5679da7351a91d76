import { readdirSync } from 'node:fs';
import process from 'node:process';
import { type DeviceProcess, PippinError } from 'pippin-prover';

/** Hides files of /dev in a private mount namespace, and then runs the following command. */
const HIDE = 'for d in $PIPPIN_HIDDEN; do mount --bind /dev/null "$d" || exit 1; done; exec "$@"';

/**
 * How to start one process for each GPU of this machine. Dawn in Node uses the first GPU that it finds, whatever
 * CUDA_VISIBLE_DEVICES is; so each process must see only one. With several NVIDIA GPUs on Linux a mount namespace hides
 * the others, which requires root. In containers the runtime's option does it (`docker run --gpus device=1`): there a
 * farm of one worker runs in each.
 *
 * @returns one start for each GPU, for `ProverOptions.devices` and `FarmOptions.devices`; a single one with fewer than
 * two NVIDIA GPUs.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT for several GPUs without root.
 * @example
 * ```js
 * import { gpuProcesses } from 'pippin-farm';
 *
 * console.log(gpuProcesses().length, 'process(es)');
 * ```
 */
export function gpuProcesses(): readonly DeviceProcess[] {
  const gpus = nvidiaDevices();
  if (gpus.length < 2) return [{}];
  if (process.getuid?.() !== 0) {
    throw new PippinError(
      'UNSUPPORTED_ENVIRONMENT',
      `expected root to give each of ${gpus.length} GPUs a process, got another user`,
      {
        hint: 'run a container for each GPU (--gpus device=N), with a farm of one worker in it',
      },
    );
  }
  return gpus.map((own) => ({
    command: ['unshare', '-m', 'sh', '-c', HIDE, '--'],
    env: { PIPPIN_HIDDEN: gpus.filter((other) => other !== own).join(' ') },
  }));
}

function nvidiaDevices(): string[] {
  try {
    const names = readdirSync('/dev').filter((name) => /^nvidia\d+$/.test(name));
    return names.sort().map((name) => `/dev/${name}`);
  } catch {
    // No Linux.
    return [];
  }
}
