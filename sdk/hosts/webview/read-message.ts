import { describeType, describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { isObject, isRecord, ownMembers } from '../../base/is-object.js';
import { type HostMessage, ID_PATTERN, MAX_MESSAGE_LENGTH, type PageMessage, PROTOCOL_VERSION } from './protocol.js';

type Members = Readonly<Record<string, unknown>>;

/** Why a message was not understood, and the id in it, if it has one that can be read. */
export interface Misunderstood {
  readonly error: PippinError;
  readonly id: string | undefined;
}

/** Whether a message was not understood. */
export function isMisunderstood(message: object): message is Misunderstood {
  return Object.hasOwn(message, 'error');
}

/** What each message of an app must have besides its type; the functions throw where it lacks it. */
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

/** What of each message of the page its reader relies on. */
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
 * The message of an app, with the members that its type has and no others. `INVALID_ARGUMENT` for a text that is too
 * long, no JSON, or no message; `UNSUPPORTED_FORMAT` for one of another version; `INVALID_INPUT` for inputs with a
 * number that is no safe integer. No error shows a value of the inputs.
 */
export function readHostMessage(data: unknown): HostMessage | Misunderstood {
  return read(data, HOST_MESSAGES, (message, members) => ({
    pippin: PROTOCOL_VERSION,
    type: message.type,
    ...members,
  })) as HostMessage | Misunderstood;
}

/** The message of a page, checked as far as its reader relies on it. */
export function readPageMessage(data: unknown): PageMessage | Misunderstood {
  return read(data, PAGE_MESSAGES, (message) => ({ ...message })) as unknown as PageMessage | Misunderstood;
}

/** Whether a text seems to be meant for Pippin: other libraries in a page or an app send messages on the same ways. */
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
    // The parser's own words quote the text, and with it the inputs.
    throw invalid(`expected a message as JSON, got a text of ${data.length} characters that is none`);
  }
  if (!isRecord(message)) throw invalid(`expected a message as an object, got ${describeType(message)}`);
  return ownMembers(message);
}

function idOf(message: Members): string {
  return member(message, 'id', '1 to 128 letters, digits or characters of _.:-', isId);
}

/**
 * The inputs of a request. `INVALID_INPUT` names the input that has a number which is no safe integer: of those beyond
 * 2^53 JSON.parse has made others, and another statement would be proved.
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
 * Whether all numbers in a value of JSON are safe integers. Without recursion: JSON may be nested more deeply than the
 * stack is.
 */
function hasOnlySafeNumbers(root: unknown): boolean {
  const rest = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
    // One by one: a call takes fewer arguments than a list may have.
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
