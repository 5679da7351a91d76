import type { CallOptions, Prover, Report } from '../api.js';
import { exposeEngine } from '../engine/expose.js';
import { nodeCallerPlatform } from '../platform/node-caller.js';
import { nodeEnginePlatform } from '../platform/node-engine.js';
import { createProverOn } from '../prover.js';
import { sameThreadChannel } from '../transport/node-same-thread.js';
import { note, print } from './output.js';
import { backendOption, type Options, threadsOption } from './usage.js';

/** The command line has nothing to keep responsive: its own thread coordinates, and starts the kernel workers without another one in between. */
const platform = {
  ...nodeCallerPlatform,
  spawnCoordinator: () => sameThreadChannel((scope) => exposeEngine(nodeEnginePlatform, scope)),
};

/** A prover as the options ask for; its notices go to stderr. */
export async function openProver(options: Options): Promise<Prover> {
  const threads = threadsOption(options);
  return createProverOn(platform, {
    backend: backendOption(options),
    ...(threads === undefined ? {} : { threads }),
    cache: options['no-cache'] !== true,
    constantWork: options['constant-work'] === true,
    onNotice: ({ code, message }) => note(`${code}: ${message}`),
  });
}

/**
 * Runs `work` with a prover, which is disposed of afterwards, and a signal that Ctrl-C fires; prints the text that it returns.
 *
 * @param checked a check of the command's input. The prover starts at the same time; if the check fails, no work is done.
 */
export async function withProver(
  options: Options,
  work: (prover: Prover, call: CallOptions) => Promise<string>,
  checked?: Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  process.once('SIGINT', interrupt);
  const opening = openProver(options);
  const progress = progressLine();
  try {
    const [prover] = await Promise.all([opening, checked]);
    const text = await work(prover, { signal: controller.signal, onProgress: progress.show });
    progress.clear();
    await print(text);
  } finally {
    progress.clear();
    process.off('SIGINT', interrupt);
    const prover = await opening.catch(() => undefined);
    await prover?.dispose();
  }
}

/** One line on a terminal that shows how far a call is. */
function progressLine(): { show: NonNullable<CallOptions['onProgress']>; clear: () => void } {
  const { stderr } = process;
  let shown = false;
  return {
    show: (event) => {
      if (!stderr.isTTY || event.kind !== 'progress') return;
      shown = true;
      stderr.write(`\r${event.phase} ${Math.floor((100 * event.done) / event.total)}%\u001b[K`);
    },
    clear: () => {
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** A report's times to a hundredth of a millisecond. */
export function roundedTimes(report: Report): Record<string, number> {
  return Object.fromEntries(Object.entries(report.ms).map(([name, ms]) => [name, Math.round(ms * 100) / 100]));
}
