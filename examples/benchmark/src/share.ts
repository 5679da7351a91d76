import type { ProductTimes } from 'pippin-prover';
import { CONTESTANTS } from './contestants.js';
import type { Memory } from './memory.js';
import { PRODUCTS } from './products.js';
import { PROOF_SYSTEMS, type Protocol } from './protocols.js';
import type { CircuitFacts, Result, Run } from './results.js';

/**
 * A run as the fragment of a link, which browsers do not send to servers. It holds times, memory, the device as the browser
 * describes it, and the name and sizes of a visitor's own circuit: no timeline, no key, no input. Whoever opens it may
 * have got it from anybody, so that all of it is checked.
 */

const PREFIX = '#run=';
const VERSION = 1;

/** No run makes more than this; a longer text is none. */
const MOST_CHARACTERS = 64_000;
const MOST_RESULTS = 64;
const MOST_LATER = 1000;
const MOST_TEXT = 400;

/** The fragment, with its `#`. Times are rounded to tenths of a millisecond. */
export function fragmentOf({ date, device, results, circuit, protocol, products }: Run): string {
  const compact = {
    v: VERSION,
    date,
    device: { ...device, userAgent: device.userAgent.slice(0, MOST_TEXT) },
    ...(protocol === undefined ? {} : { protocol }),
    ...(circuit === undefined ? {} : { circuit }),
    ...(products === undefined ? {} : { products }),
    results: results.map(({ timeline: _, openMs, loadMs, firstMs, laterMs, ...rest }) => ({
      ...rest,
      ms: [openMs, loadMs, firstMs].map(tenths),
      later: laterMs.map(tenths),
    })),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(compact));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `${PREFIX}${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Whether a link claims to hold a run. */
export function holdsRun(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** The run in a fragment; undefined if it holds none that this page can show, as when the link was cut off. */
export function runOf(fragment: string): Run | undefined {
  if (!holdsRun(fragment) || fragment.length > MOST_CHARACTERS) return undefined;
  try {
    const binary = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return checkedRun(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

class NotARun extends Error {}

function checkedRun(value: unknown): Run {
  const { v, date, device, protocol, circuit, products, results } = objectOf(value);
  if (v !== VERSION) throw new NotARun();
  const { userAgent, threads, gigabytes } = objectOf(device);
  const when = textOf(date);
  if (Number.isNaN(Date.parse(when))) throw new NotARun();
  return {
    format: 'pippin-benchmark',
    version: 1,
    date: when,
    device: {
      userAgent: textOf(userAgent),
      threads: numberOf(threads),
      ...(gigabytes === undefined ? {} : { gigabytes: numberOf(gigabytes) }),
    },
    ...(protocol === undefined ? {} : { protocol: checkedProtocol(protocol) }),
    ...(circuit === undefined ? {} : { circuit: checkedCircuit(circuit) }),
    ...(products === undefined ? {} : { products: checkedProducts(products) }),
    results: listOf(results, MOST_RESULTS).map(checkedResult),
    skipped: [],
  };
}

function checkedProtocol(value: unknown): Protocol {
  const known = PROOF_SYSTEMS.find(({ protocol }) => protocol === value);
  if (known === undefined) throw new NotARun();
  return known.protocol;
}

function checkedProducts(value: unknown): ProductTimes {
  const { points, ms } = objectOf(value);
  const kinds = Object.entries(objectOf(ms));
  if (!kinds.every(([kind]) => Object.hasOwn(PRODUCTS, kind))) throw new NotARun();
  if (!Number.isInteger(Math.log2(numberOf(points)))) throw new NotARun();
  return { points: numberOf(points), ms: Object.fromEntries(kinds.map(([kind, each]) => [kind, numberOf(each)])) };
}

function checkedCircuit(value: unknown): CircuitFacts {
  const { name, keyBytes, domainSize, variables, publicSignals } = objectOf(value);
  return {
    name: textOf(name),
    keyBytes: numberOf(keyBytes),
    domainSize: numberOf(domainSize),
    variables: numberOf(variables),
    publicSignals: numberOf(publicSignals),
  };
}

function checkedResult(value: unknown): Result {
  const { log, constraints, contestant, executor, ms, later, memory } = objectOf(value);
  const known = CONTESTANTS.find(({ id }) => id === contestant);
  const [openMs, loadMs, firstMs, ...more] = listOf(ms, 3).map(numberOf);
  const exponent = numberOf(log);
  if (known === undefined || firstMs === undefined || more.length > 0) throw new NotARun();
  if (!Number.isInteger(exponent) || exponent > 32) throw new NotARun();
  return {
    log: exponent,
    constraints: numberOf(constraints),
    contestant: known.id,
    executor: textOf(executor),
    openMs: openMs!,
    loadMs: loadMs!,
    firstMs,
    laterMs: listOf(later, MOST_LATER).map(numberOf),
    // Links of earlier versions have none.
    ...(memory === undefined ? {} : { memory: checkedMemory(memory) }),
    timeline: [],
  };
}

function checkedMemory(value: unknown): Memory {
  const { source, bytes } = objectOf(value);
  if (source !== 'page' && source !== 'prover') throw new NotARun();
  return { source, bytes: numberOf(bytes) };
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotARun();
  return value as Record<string, unknown>;
}

function listOf(value: unknown, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new NotARun();
  return value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > MOST_TEXT) throw new NotARun();
  return value;
}

/** A finite number that is not negative, as all numbers of a run are. */
function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new NotARun();
  return value;
}

function tenths(ms: number): number {
  return Math.round(10 * ms) / 10;
}
