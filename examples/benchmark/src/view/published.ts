import { element } from '../../../groth16-commitment/src/dom.js';
import { contestant } from '../contestants.js';
import { type Protocol, proofSystem } from '../protocols.js';
import published from '../published.json';
import type { Result } from '../results.js';
import { sizeName } from '../sizes.js';
import { type Bar, drawBars } from './bars.js';
import { type Shown, timeOf } from './size-cards.js';

/** Sizes for which other devices' figures are published. */
export const PUBLISHED_LOGS = [14, 16, 18] as const;

interface PublishedDevice {
  readonly device: string;
  readonly prover: string;
  /** Groth16 where it is absent. */
  readonly protocol?: string;
  readonly later: Readonly<Record<string, number | undefined>>;
  readonly date: string;
  readonly section: string;
}

/** Later proofs on other devices beside those of this one, from fast to slow, and where the figures come from. */
export function drawPublished(
  results: readonly Result[],
  protocol: Protocol,
  log: number,
  whose: string,
): HTMLElement[] {
  const shown: Shown = 'later';
  const own: Bar[] = results
    .filter((result) => result.log === log)
    .map((result) => {
      const { name } = contestant(result.contestant);
      return { name: `${whose}: ${name}`, note: result.executor, ms: timeOf(result, shown), emphasis: true };
    });
  const devices: readonly PublishedDevice[] = published.devices;
  const comparable = devices.filter((one) => (one.protocol ?? 'groth16') === protocol);
  const others: Bar[] = comparable.flatMap(({ device, prover, later }) => {
    const ms = Object.entries(later).find(([size]) => size === String(log))?.[1];
    return ms === undefined ? [] : [{ name: prover, note: device, ms, emphasis: false }];
  });
  const bars = [...own, ...others].sort((a, b) => a.ms - b.ms);
  const missing =
    own.length > 0
      ? []
      : [element('p', 'help', `${whose} has not proved ${sizeName(log)} with ${proofSystem(protocol).name} yet.`)];
  const sources = new Set(comparable.map(({ section, date }) => `“${section}”, ${date}`));
  const from = element(
    'p',
    'help',
    `Other devices: docs/performance.md, ${[...sources].join('; ')}. Later proofs of the same circuit with ${proofSystem(protocol).name}.`,
  );
  return bars.length === 0 ? missing : [...missing, drawBars(bars), from];
}
