import { PippinError } from 'pippin-prover';
import { checkWitness } from 'pippin-prover/encodings';
import { describeType } from '../../../sdk/base/describe.js';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import { isObject, ownMembers } from '../../../sdk/base/records.js';
import type { JobInput } from '../sealing/sealed-input.js';
import { checkedCircuitId, jobIdOf } from './names.js';
import type { CircuitInfo } from './types.js';

const DAY_MS = 24 * 60 * 60_000;

/** The default and maximum time until the deadline of a job. */
const USUAL_MS = DAY_MS;
const MOST_MS = 30 * DAY_MS;

/** The default of `priority`: as many levels come before as after it. */
export const USUAL_PRIORITY = 500;
export const LAST_PRIORITY = 1000;

const MAX_OWNER = 200;

/** A checked request. */
interface ReadRequest {
  readonly id: string;
  readonly circuit: CircuitInfo;
  readonly input: JobInput;
  readonly priority: number;
  readonly deadline: number;
  readonly owner: string | undefined;
}

/**
 * Checks a request at a time. `INVALID_ARGUMENT`, `DEADLINE_PASSED` for a past deadline, and the errors of
 * `checkWitness`. No message shows an input.
 */
export async function readRequest(
  request: unknown,
  circuits: (id: string) => CircuitInfo | undefined,
  now: number,
): Promise<ReadRequest> {
  const reader = new OptionReader(request, 'the request');
  const circuitId = checkedCircuitId(reader.read('circuit'));
  const circuit = circuits(circuitId);
  if (circuit === undefined) {
    throw new PippinError('INVALID_ARGUMENT', `expected circuit as the id of a registered one, got ${circuitId}`);
  }
  const input = await readInput(reader.read('inputs'), reader.read('witness'), circuit);
  const id = jobIdOf(circuitId, reader.read('id') ?? undefined);
  const priority = reader.integer('priority', 0, LAST_PRIORITY) ?? USUAL_PRIORITY;
  const deadline = readDeadline(reader, now);
  const owner = reader.read('owner') ?? undefined;
  if (owner !== undefined && (typeof owner !== 'string' || owner.length > MAX_OWNER)) {
    throw reader.wrong('owner', `a string of at most ${MAX_OWNER} characters`, owner);
  }
  reader.expectNoOthers();
  return { id, circuit, input, priority, deadline, owner };
}

async function readInput(inputs: unknown, witness: unknown, circuit: CircuitInfo): Promise<JobInput> {
  if ((inputs === undefined) === (witness === undefined)) {
    const got = inputs === undefined ? 'neither' : 'both';
    throw new PippinError('INVALID_ARGUMENT', `expected either inputs or witness, got ${got}`);
  }
  if (witness !== undefined) {
    if (!(witness instanceof Uint8Array)) {
      throw new PippinError('INVALID_ARGUMENT', `expected witness as a Uint8Array, got ${describeType(witness)}`);
    }
    // A witness that no worker could prove must not fill Redis until one finds out.
    await checkWitness(witness, circuit.curve, circuit.variables);
    return ownMembers({ witness });
  }
  if (!isObject(inputs) || Array.isArray(inputs)) {
    throw new PippinError('INVALID_ARGUMENT', `expected inputs as an object, got ${describeType(inputs)}`);
  }
  if (circuit.takesInputs) return ownMembers({ inputs: inputs as Extract<JobInput, { inputs: object }>['inputs'] });
  throw new PippinError('INVALID_ARGUMENT', `expected a witness for ${circuit.id}, got inputs`, {
    hint: 'register the circuit with its WASM, or compute the witness first',
  });
}

function readDeadline(reader: OptionReader, now: number): number {
  const deadline = reader.integer('deadline', 0, Number.MAX_SAFE_INTEGER) ?? now + USUAL_MS;
  if (deadline > now + MOST_MS)
    throw reader.wrong('deadline', 'a time within the next 30 days, in milliseconds', deadline);
  if (deadline > now) return deadline;
  throw new PippinError('DEADLINE_PASSED', 'expected a deadline that is still to come, got one that is over', {
    hint: 'deadline is a time in milliseconds since 1970, as Date.now() + 60_000',
  });
}
