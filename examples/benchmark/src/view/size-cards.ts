import { element } from '../../../groth16-commitment/src/dom.js';
import { contestant } from '../contestants.js';
import { driftInWords, driftOf } from '../drift.js';
import { fileSize } from '../own/own-files.js';
import { type Protocol, proofSystem } from '../protocols.js';
import { type CircuitFacts, laterMs, protocolOf, type Result, type Run, visitMs } from '../results.js';
import { SIZES, sizeName } from '../sizes.js';
import { verdict } from '../verdict.js';
import { drawBars } from './bars.js';
import { drawMemory } from './memory-table.js';
import { drawTimes } from './times-line.js';

/** Which time the bars show: a later proof, or all that a first visit waits for. */
export type Shown = 'later' | 'visit';

export type Findings = Pick<Run, 'results' | 'skipped' | 'circuit' | 'protocol' | 'products'>;

/** A section for the visitor's circuit, or one for each size that was measured or left out. */
export function drawSizes(findings: Findings, shown: Shown): HTMLElement[] {
  const { results, skipped, circuit } = findings;
  const protocol = protocolOf(findings);
  const { unit } = proofSystem(protocol);
  if (circuit !== undefined) {
    const about = aboutCircuit(circuit, protocol);
    return [drawCircuit(circuit.name, about, { results, skipped }, shown)];
  }
  // An own circuit whose key no contestant could load.
  const unknown = skipped.filter(({ log }) => log === 0);
  if (unknown.length > 0) return [drawCircuit('Your circuit', '', { results: [], skipped: unknown }, shown)];
  return SIZES.flatMap(({ log, like }) => {
    const measured = results.filter((result) => result.log === log);
    const left = skipped.filter((one) => one.log === log);
    if (measured.length === 0 && left.length === 0) return [];
    const constraints = measured[0]?.constraints.toLocaleString('en');
    const about = `${constraints === undefined ? 'As' : `${constraints}, as`} many as ${like}`;
    return [drawCircuit(`${sizeName(log)} ${unit}`, about, { results: measured, skipped: left }, shown)];
  });
}

/**
 * What a circuit costs in words, a bar for each contestant, how each goes on for many proofs, and what was left out.
 */
function drawCircuit(
  name: string,
  about: string,
  { results, skipped }: Pick<Findings, 'results' | 'skipped'>,
  shown: Shown,
): HTMLElement {
  const head = element('div', 'size-head', element('h3', '', name), element('p', 'help', about));
  const section = element('section', 'size', head);
  const fastest = fastestOf(results, shown);
  if (fastest !== undefined) {
    const per = shown === 'later' ? 'a proof' : 'until a first proof';
    section.append(element('p', 'verdict', verdict(timeOf(fastest, shown), per)));
  }
  if (results.length > 0) section.append(drawBars(results.map((result) => barOf(result, shown, result === fastest))));
  if (results.length > 0) section.append(drawMemory(results));
  for (const { laterMs: times, contestant: id } of results) {
    const drift = driftOf(times);
    if (drift === undefined) continue;
    const words = element('p', '', `${contestant(id).name}, ${times.length} proofs. ${driftInWords(drift)}`);
    section.append(element('div', 'drift', words, ...drawTimes(times, drift)));
  }
  for (const { contestant: id, reason } of skipped) {
    const who = id === undefined ? 'Not tried' : `${contestant(id).name} left out`;
    section.append(element('p', 'help', `${who}: ${reason}.`));
  }
  return section;
}

function aboutCircuit({ domainSize, publicSignals, keyBytes }: CircuitFacts, protocol: Protocol): string {
  const { name, unit } = proofSystem(protocol);
  const least = (domainSize / 2).toLocaleString('en');
  const signals = publicSignals === 1 ? '1 public signal' : `${publicSignals} public signals`;
  return `${least} to ${domainSize.toLocaleString('en')} ${unit}, ${signals}, a key of ${fileSize(keyBytes)} for ${name}`;
}

function barOf(result: Result, shown: Shown, emphasis: boolean) {
  const { name } = contestant(result.contestant);
  return { name, note: result.executor, ms: timeOf(result, shown), emphasis };
}

export function timeOf(result: Result, shown: Shown): number {
  return shown === 'later' ? laterMs(result) : visitMs(result);
}

/** The fastest of Pippin's results; undefined if there are none. */
export function fastestOf(results: readonly Result[], shown: Shown): Result | undefined {
  const ours = results.filter(({ contestant: id }) => id !== 'snarkjs');
  return ours.sort((a, b) => timeOf(a, shown) - timeOf(b, shown))[0];
}
