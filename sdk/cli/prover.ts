import type { CallOptions, Prover, ProverOptions, Report } from '../api/index.js';
import { exposeEngine } from '../engine/engine.js';
import { nodeCallerPlatform } from '../hosts/node/node-caller.js';
import { nodeEnginePlatform } from '../hosts/node/node-engine.js';
import { createProverOn } from '../hosts/prover/prover.js';
import { nodeSameThreadChannel } from '../transport/node-same-thread.js';
import type { Context } from './context.js';

/**
 * The command line has nothing to keep responsive: its own thread coordinates, and starts the kernel workers without
 * another one in between.
 */
const platform = {
  ...nodeCallerPlatform,
  spawnCoordinator: () => nodeSameThreadChannel((scope) => exposeEngine(nodeEnginePlatform, scope)),
};

/** A prover whose notices go to stderr. */
export function openProver(options: ProverOptions, context: Context): Promise<Prover> {
  return createProverOn(platform, {
    ...options,
    onNotice: ({ code, message }) => context.note(`${code}: ${message}`),
  });
}

/** The options of a call that is a step of a command. */
export function stepOf(context: Context, name: string): Required<CallOptions> {
  return { signal: context.signal, onProgress: context.step(name) };
}

/**
 * Runs `work` with a prover, which is disposed of afterwards.
 *
 * @param checked a check of the command's input. The prover starts at the same time; if the check fails, no work is
 * done.
 */
export async function withProver<T>(
  options: ProverOptions,
  context: Context,
  work: (prover: Prover) => Promise<T>,
  checked?: Promise<void>,
): Promise<T> {
  const opening = openProver(options, context);
  try {
    const [prover] = await Promise.all([opening, checked]);
    return await work(prover);
  } finally {
    context.end();
    const prover = await opening.catch(() => undefined);
    await prover?.dispose();
  }
}

/** A report's times to a hundredth of a millisecond. */
export function roundedTimes(report: Report): Record<string, number> {
  return Object.fromEntries(Object.entries(report.ms).map(([name, ms]) => [name, rounded(ms)]));
}

/** Milliseconds to a hundredth. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
