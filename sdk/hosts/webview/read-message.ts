import { describeType, describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { isObject, isRecord, ownMembers } from '../../base/records.js';
import { type HostMessage, ID_PATTERN, MAX_MESSAGE_LENGTH, type PageMessage, PROTOCOL_VERSION } from './protocol.js';

type Members = Readonly<Record<string, unknown>>;

/** Why a message was not understood, and its id if that is readable. */
export interface Misunderstood {
  readonly error: PippinError;
  readonly id: string | undefined;
}

/** Whether a message was not understood. */
export function isMisunderstood(message: object): message is Misunderstood {
  return Object.hasOwn(message, 'error');
}

/** The required members of each message of an app besides its type; the functions throw where one is missing. */
const HOST_MESSAGES: Readonly<Record<HostMessage['type'], (message: Members) => object>> = {
  hello: () => ({}),
  prove: (message) => ({
    id: idOf(message),
    circuit: member(message, 'circuit', 'the name of a circuit', isText),
    inputs: inputsOf(message),
  }),
  cancel: (message) => ({ id: idOf(message) }),
  fetch: (message) => ({ id: idOf(message) }),
  forget: (message) => ({ id: idOf(message) }),
  trim: (message) => ({ level: member(message, 'level', "'moderate' or 'critical'", isOneOf('moderate', 'critical')) }),
  visibility: (message) => ({ visible: member(message, 'visible', 'true or false', isBoolean) }),
};

/** The members of each message of the page that its reader relies on. */
const PAGE_MESSAGES: Readonly<Record<PageMessage['type'], (message: Members) => unknown>> = {
  ready: (message) => [member(message, 'page', 'a name', isText), member(message, 'circuits', 'a list', Array.isArray)],
  leaving: (message) => [member(message, 'page', 'a name', isText)],
  state: (message) => [
    idOf(message),
    member(message, 'state', 'queued, running or paused', isOneOf('queued', 'running', 'paused')),
  ],
  progress: (message) => [idOf(message), member(message, 'fraction', 'a number', (value) => typeof value === 'number')],
  result: (message) => [
    idOf(message),
    member(message, 'proof', 'a proof', isRecord),
    member(message, 'publicSignals', 'a list', Array.isArray),
  ],
  failed: (message) => [member(message, 'code', 'a code', isText), member(message, 'message', 'a text', isText)],
  notice: (message) => [member(message, 'code', 'a code', isText), member(message, 'message', 'a text', isText)],
};

/**
 * Parses a message of an app; keeps only the members of its type. `INVALID_ARGUMENT` for a text that is too long, no
 * JSON, or no message; `UNSUPPORTED_FORMAT` for another version; `INVALID_INPUT` for inputs with a number that is no
 * safe integer. No error shows a value of the inputs.
 */
export function readHostMessage(data: unknown): HostMessage | Misunderstood {
  return read(data, HOST_MESSAGES, (message, members) => ({
    pippin: PROTOCOL_VERSION,
    type: message.type,
    ...members,
  })) as HostMessage | Misunderstood;
}

/** Parses a message of a page; checks only what its reader relies on. */
export function readPageMessage(data: unknown): PageMessage | Misunderstood {
  return read(data, PAGE_MESSAGES, (message) => ({ ...message })) as unknown as PageMessage | Misunderstood;
}

/** Whether a text seems to be meant for Pippin: other libraries in a page or an app use the same channels. */
export function isForPippin(data: unknown): boolean {
  return typeof data === 'string' && /^\s*\{/.test(data) && data.includes('"pippin"');
}

function read(
  data: unknown,
  readers: Readonly<Record<string, (message: Members) => unknown>>,
  make: (message: Members, members: object) => object,
): object {
  let id: string | undefined;
  try {
    const message = parse(data);
    if (typeof message.id === 'string' && ID_PATTERN.test(message.id)) id = message.id;
    if (message.pippin !== PROTOCOL_VERSION) {
      throw new PippinError(
        'UNSUPPORTED_FORMAT',
        `expected a message of version ${PROTOCOL_VERSION} of the protocol, got ${describeValue(message.pippin)}`,
        { hint: 'let the app and its page be built with the same version of pippin-prover' },
      );
    }
    const { type } = message;
    if (typeof type !== 'string' || !Object.hasOwn(readers, type)) {
      throw invalid(`expected a type of ${Object.keys(readers).join(', ')}, got ${describeValue(type)}`);
    }
    return make(message, readers[type]!(message) as object);
  } catch (error) {
    return { error: error as PippinError, id } satisfies Misunderstood;
  }
}

function parse(data: unknown): Members {
  if (typeof data !== 'string') throw invalid(`expected a message as text, got ${describeType(data)}`);
  if (data.length > MAX_MESSAGE_LENGTH) {
    throw invalid(`expected a message of at most ${MAX_MESSAGE_LENGTH} characters, got ${data.length}`);
  }
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    // The parser's message quotes the text, and with it the inputs.
    throw invalid(`expected a message as JSON, got a text of ${data.length} characters that is none`);
  }
  if (!isRecord(message)) throw invalid(`expected a message as an object, got ${describeType(message)}`);
  return ownMembers(message);
}

function idOf(message: Members): string {
  return member(message, 'id', '1 to 128 letters, digits or characters of _.:-', isId);
}

/**
 * The inputs of a request. `INVALID_INPUT` names an input with a number that is no safe integer: JSON.parse has rounded
 * numbers beyond 2^53, which would change the statement.
 */
function inputsOf(message: Members): Members {
  const inputs = member(message, 'inputs', 'an object with the values of the input signals', isRecord);
  for (const [name, value] of Object.entries(inputs)) {
    if (hasOnlySafeNumbers(value)) continue;
    throw new PippinError(
      'INVALID_INPUT',
      `expected numbers of the input ${describeValue(name)} as integers below 2^53, got another number`,
      { hint: 'write big numbers as strings' },
    );
  }
  return inputs;
}

/**
 * Whether all numbers in a JSON value are safe integers. Iterative: JSON may be nested more deeply than the stack
 * allows.
 */
function hasOnlySafeNumbers(root: unknown): boolean {
  const rest = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
    // One by one: a list may be longer than the argument limit of a call.
    if (isObject(value)) for (const part of Object.values(value)) rest.push(part);
  }
  return true;
}

function member<T>(message: Members, name: string, expected: string, is: (value: unknown) => value is T): T;
function member(message: Members, name: string, expected: string, is: (value: unknown) => boolean): unknown;
function member(message: Members, name: string, expected: string, is: (value: unknown) => boolean): unknown {
  const value = message[name];
  if (!is(value)) {
    throw invalid(`expected ${name} of a message ${String(message.type)} as ${expected}, got ${describeType(value)}`);
  }
  return value;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isId = (value: unknown): value is string => isText(value) && ID_PATTERN.test(value);
const isOneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    words.some((word) => word === value);

function invalid(message: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', message);
}
