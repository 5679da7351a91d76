import { randomUUID } from 'node:crypto';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';

/** What circuits and jobs may be named: these characters mean nothing to Redis, to BullMQ and in URLs. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a circuit. `INVALID_ARGUMENT` for one that cannot be used. */
export function checkedCircuitId(id: unknown): string {
  return checkedName(id, 'the id of a circuit');
}

/** The id of a job: the circuit's, a full stop, and the caller's name for the job, or a random one. */
export function jobIdOf(circuit: string, name: unknown): string {
  return `${circuit}.${name === undefined ? randomUUID() : checkedName(name, 'id')}`;
}

/** The circuit in a job's id; undefined for what is no such id. */
export function circuitOfJob(id: unknown): string | undefined {
  const [circuit = '', name = '', ...others] = typeof id === 'string' ? id.split('.') : [];
  return NAME.test(circuit) && NAME.test(name) && others.length === 0 ? circuit : undefined;
}

function checkedName(name: unknown, what: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  const got = typeof name === 'string' ? 'another string' : describeType(name);
  throw new PippinError('INVALID_ARGUMENT', `expected ${what} as 1 to 64 of A-Z a-z 0-9 _ -, got ${got}`);
}
