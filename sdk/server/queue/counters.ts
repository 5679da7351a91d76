import type { FarmCounters, PhaseSeconds } from './types.js';

/** The upper ends of the buckets of a histogram, in seconds. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** A counter's field in the hash of all counters: a kind and its labels, none of which holds a space. */
export function counterField(...labels: readonly string[]): string {
  return labels.join(' ');
}

/** How much each field grows by one time that was taken. */
export function secondsIncrements(circuit: string, phase: string, seconds: number): readonly [string, number][] {
  const bucket = BUCKETS.find((atMost) => seconds <= atMost);
  const increments: [string, number][] = [
    [counterField('count', circuit, phase), 1],
    [counterField('sum', circuit, phase), seconds],
  ];
  if (bucket !== undefined) increments.push([counterField('bucket', circuit, phase, String(bucket)), 1]);
  return increments;
}

/** The counters of a hash. */
export function readCounters(hash: Readonly<Record<string, string>>): FarmCounters {
  const rows = Object.entries(hash).map(([field, value]) => ({ labels: field.split(' '), value: Number(value) }));
  const of = (kind: string) => rows.filter(({ labels }) => labels[0] === kind);
  return {
    proofs: of('proofs').map(({ labels, value }) => ({ circuit: labels[1]!, count: value })),
    failures: of('failures').map(({ labels, value }) => ({ circuit: labels[1]!, code: labels[2]!, count: value })),
    alarms: of('alarms').map(({ labels, value }) => ({ kind: labels[1]!, count: value })),
    seconds: of('count').map(({ labels, value }) => phaseSeconds(hash, labels[1]!, labels[2]!, value)),
  };
}

function phaseSeconds(
  hash: Readonly<Record<string, string>>,
  circuit: string,
  phase: string,
  count: number,
): PhaseSeconds {
  let below = 0;
  const buckets = BUCKETS.map((atMost) => {
    below += Number(hash[counterField('bucket', circuit, phase, String(atMost))] ?? 0);
    return { atMost, count: below };
  });
  return { circuit, phase, count, sum: Number(hash[counterField('sum', circuit, phase)] ?? 0), buckets };
}
