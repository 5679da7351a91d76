/**
 * What the page remembers over a reload, beside the files. There is no secret in it: a contribution that was not
 * finished begins again with a new one.
 */
export type CeremonyRecord = OpenedRecord | DoneRecord;

/** A key was opened, or a contribution to it was being computed. */
export interface OpenedRecord {
  readonly stage: 'opened' | 'computing';
  /** The name of the key's file. */
  readonly fileName: string;
  /** The contributor's name, as far as it was given. */
  readonly name: string;
}

/** A contribution is done. */
export interface DoneRecord {
  readonly stage: 'done';
  /** What the new key's file is called. */
  readonly fileName: string;
  readonly name: string;
  /** 128 hexadecimal digits each. */
  readonly hash: string;
  readonly circuitHash: string;
  /** The contribution's number, from 1. */
  readonly number: number;
  /** ISO 8601. */
  readonly date: string;
  /** Whether the new key is still on this device, as far as the page keeps it. */
  readonly hasKey: boolean;
}

const HASH = /^[\da-f]{128}$/;

/** The record that a text holds, or undefined for anything else, such as what another version of the page has left. */
export function recordOf(text: string): CeremonyRecord | undefined {
  let found: Partial<Record<string, unknown>> | null;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null) return undefined;
  const { stage, fileName, name, hash, circuitHash, number, date, hasKey } = found;
  if (typeof fileName !== 'string' || typeof name !== 'string') return undefined;
  if (stage === 'opened' || stage === 'computing') return { stage, fileName, name };
  const isDone =
    stage === 'done' &&
    [hash, circuitHash].every((digits) => typeof digits === 'string' && HASH.test(digits)) &&
    Number.isInteger(number) &&
    typeof date === 'string' &&
    typeof hasKey === 'boolean';
  return isDone ? (found as unknown as DoneRecord) : undefined;
}
