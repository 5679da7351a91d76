import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Groth16Proof } from '../../../sdk/api/index.js';
import { encodeMessage, MAX_MESSAGE_LENGTH, PROTOCOL_VERSION } from '../../../sdk/hosts/webview/protocol.js';
import {
  isForPippin,
  isMisunderstood,
  readHostMessage,
  readPageMessage,
} from '../../../sdk/hosts/webview/read-message.js';
import { polluted } from '../../support/polluted.js';

const of = (members: object): string => JSON.stringify({ pippin: PROTOCOL_VERSION, ...members });
const prove = { type: 'prove', id: 'a', circuit: 'note', inputs: { x: '1' } };

describe('a message of an app', () => {
  it.each([
    { type: 'hello' },
    prove,
    { type: 'cancel', id: 'A-z_0.9:' },
    { type: 'fetch', id: 'x'.repeat(128) },
    { type: 'forget', id: '1' },
    { type: 'trim', level: 'moderate' },
    { type: 'trim', level: 'critical' },
    { type: 'visibility', visible: false },
  ])('is read as it was written: %j', (message) => {
    expect(readHostMessage(of(message))).toEqual({ pippin: PROTOCOL_VERSION, ...message });
  });

  it('loses the members that its type does not have', () => {
    expect(readHostMessage(of({ type: 'fetch', id: 'a', inputs: {}, __proto__: null, more: 1 }))).toEqual({
      pippin: PROTOCOL_VERSION,
      type: 'fetch',
      id: 'a',
    });
  });

  it.each([
    ['no text', 7, /text, got number/],
    ['nothing', undefined, /text, got undefined/],
    ['an empty text', '', /JSON/],
    ['a text that is no JSON', '{"pippin":1,', /JSON/],
    ['null', 'null', /object, got null/],
    ['a list', '[1]', /object, got Array/],
    ['an unknown type', of({ type: 'toString' }), /type of hello, prove/],
    ['no type', of({}), /type of hello, prove/],
    ['a type that is no text', of({ type: ['prove'] }), /type of hello, prove/],
    ['no id', of({ type: 'fetch' }), /id of a message fetch/],
    ['an empty id', of({ type: 'fetch', id: '' }), /id of a message fetch/],
    ['a long id', of({ type: 'fetch', id: 'x'.repeat(129) }), /id of a message fetch/],
    ['an id with a line feed', of({ type: 'fetch', id: 'a\n' }), /id of a message fetch/],
    ['a number as id', of({ type: 'fetch', id: 1 }), /id of a message fetch.*got number/],
    ['no circuit', of({ ...prove, circuit: undefined }), /circuit of a message prove/],
    ['no inputs', of({ ...prove, inputs: undefined }), /inputs of a message prove/],
    ['a list as inputs', of({ ...prove, inputs: [1] }), /inputs of a message prove.*got Array/],
    ['an unknown level', of({ type: 'trim', level: 'all' }), /level of a message trim/],
    ['a number as visible', of({ type: 'visibility', visible: 1 }), /visible of a message visibility/],
    ['a text that is too long', ' '.repeat(MAX_MESSAGE_LENGTH + 1), /at most 4194304 characters/],
  ])('is refused for %s', (_, data, message) => {
    const read = readHostMessage(data);
    expect(read).toMatchObject({ error: { code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) } });
  });

  it('has no members but its own', () => {
    Object.assign(Object.prototype, { circuit: 'note' });
    try {
      expect(readHostMessage(of({ ...prove, circuit: undefined }))).toMatchObject({
        error: { code: 'INVALID_ARGUMENT' },
      });
    } finally {
      Reflect.deleteProperty(Object.prototype, 'circuit');
    }
  });

  it('may be as long as is allowed', () => {
    const text = of(prove);
    expect(readHostMessage(text + ' '.repeat(MAX_MESSAGE_LENGTH - text.length))).toMatchObject(prove);
  });

  it.each([undefined, null, 0, 2, '1', {}])('of another version is refused: %j', (pippin) => {
    const read = readHostMessage(JSON.stringify({ ...prove, pippin }));
    expect(read).toMatchObject({ error: { code: 'UNSUPPORTED_FORMAT', hint: expect.any(String) }, id: 'a' });
  });

  it('that is refused keeps an id that can be read, and no other', () => {
    expect(readHostMessage(of({ ...prove, inputs: 3 }))).toMatchObject({ id: 'a' });
    expect(readHostMessage(of({ ...prove, id: 'a b' }))).toMatchObject({ id: undefined });
    expect(readHostMessage(of({ ...prove, id: 7 }))).toMatchObject({ id: undefined });
  });

  const readInputs = (inputs: string) =>
    readHostMessage(`{"pippin":1,"type":"prove","id":"a","circuit":"note","inputs":${inputs}}`);

  it.each([
    ['2^53', '{"amount":9007199254740992}'],
    ['2^53 + 1', '{"amount":9007199254740993}'],
    ['-2^53 - 1', '{"amount":-9007199254740993}'],
    ['1e300', '{"amount":1e300}'],
    ['what JSON.parse makes Infinity of', '{"amount":1e999}'],
    ['a fraction', '{"amount":8675309.5}'],
    ['one in lists', '{"x":1,"amount":[["1"],["2",9007199254740993]]}'],
    ['one in an object in a list', '{"x":1,"amount":[{"y":{"z":[1,0.5]}}]}'],
  ])('is refused for a number in its inputs that is no safe integer: %s', (_, inputs) => {
    expect(readInputs(inputs)).toEqual({
      id: 'a',
      error: expect.objectContaining({
        code: 'INVALID_INPUT',
        message: 'expected numbers of the input amount as integers below 2^53, got another number',
        hint: 'write big numbers as strings',
      }),
    });
  });

  it.each([
    '{}',
    '{"x":9007199254740991,"y":[-9007199254740991,0,-0,1e3,2.0]}',
    '{"x":"9007199254740993","y":[["1e300"],{"z":"0.5"}]}',
    '{"x":null,"y":true,"__proto__":[1]}',
  ])('may have safe integers and texts in its inputs: %s', (inputs) => {
    expect(readInputs(inputs)).toMatchObject({ type: 'prove', inputs: JSON.parse(inputs) });
  });

  it('may have inputs of any depth and length', () => {
    const deep = 100_000;
    expect(readInputs(`{"x":${'['.repeat(deep)}1${']'.repeat(deep)}}`)).toMatchObject({ type: 'prove' });
    expect(readInputs(`{"x":[${'1,'.repeat(500_000)}1]}`)).toMatchObject({ type: 'prove' });
    expect(readInputs(`{"${'x'.repeat(1000)}":0.5}`)).toMatchObject({
      error: { message: expect.stringMatching(/^.{0,150}$/) },
    });
  });

  it('does not show its inputs in an error', () => {
    const secret = '8675309';
    for (const inputs of [secret, [secret], 8675309]) {
      const { error } = readHostMessage(of({ ...prove, inputs })) as { error: Error };
      expect(`${error.message}${error.cause}`).not.toContain(secret);
    }
    const { error } = readHostMessage(`{"pippin":1,"inputs":{"x":${secret}`) as { error: Error };
    expect(`${error.message}${error.cause}`).not.toContain(secret);
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.json(),
          fc.json().map((text) => of({ type: 'prove', inputs: text })),
        ),
        (data) => {
          const read = readHostMessage(data);
          expect('error' in read ? read.error.name : read.type).toBeTypeOf('string');
          isForPippin(data);
        },
      ),
    );
  });
});

describe('a message of a page', () => {
  const proof: Groth16Proof = { pi_a: [], pi_b: [], pi_c: [], protocol: 'groth16', curve: 'bn128' };
  it.each([
    { type: 'ready', page: 'p', circuits: ['note'], proofs: [], memoryBudget: 1, threads: 1 },
    { type: 'leaving', page: 'p' },
    { type: 'state', id: 'a', state: 'paused', attempt: 1, reason: 'frozen' },
    { type: 'progress', id: 'a', attempt: 1, fraction: 0.5, phase: 'msm' },
    { type: 'result', id: 'a', circuit: 'note', proof, publicSignals: ['1'], backend: 'wasm', ms: 1, attempts: 1 },
    { type: 'failed', code: 'ABORTED', message: 'text' },
    { type: 'notice', code: 'WEBGPU_READY', message: 'text' },
  ] as const)('is read as it was written: %j', (message) => {
    expect(readPageMessage(encodeMessage(message))).toEqual({ pippin: PROTOCOL_VERSION, ...message });
  });

  it.each([
    { type: 'prove', id: 'a' },
    { type: 'ready', page: 'p', circuits: 'note' },
    { type: 'state', id: 'a', state: 'done' },
    { type: 'result', id: 'a', proof: [], publicSignals: [] },
    { type: 'failed', code: 1, message: '' },
  ])('is refused where it lacks something: %j', (message) => {
    expect(readPageMessage(of(message))).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
  });
});

describe('a text', () => {
  it('is meant for Pippin if it is an object with its version', () => {
    expect(isForPippin(of({ type: 'hello' }))).toBe(true);
    for (const other of [
      '',
      'pippin',
      '"pippin"',
      '["pippin"]',
      '{"source":"devtools"}',
      3,
      {},
      null,
      Object('{"pippin":1}'),
    ]) {
      expect(isForPippin(other)).toBe(false);
    }
  });

  it('has bigints as decimal strings', () => {
    const text = encodeMessage({ type: 'prove', id: 'a', circuit: 'note', inputs: { x: [2n ** 70n], y: { z: 1n } } });
    expect(JSON.parse(text).inputs).toEqual({ x: ['1180591620717411303424'], y: { z: '1' } });
  });
});

describe('what Object.prototype has', () => {
  it('is no member of a message', async () => {
    const added = { id: 'a', pippin: PROTOCOL_VERSION, type: 'hello', error: new Error('none'), circuit: 'note' };
    const found = await polluted(added, () => [
      readHostMessage('{}'),
      readHostMessage('{"pippin":1}'),
      readHostMessage(of({ type: 'fetch' })),
      isMisunderstood(readHostMessage(of(prove))),
      isMisunderstood(readHostMessage(of({ ...prove, circuit: undefined }))),
    ]);
    expect(found[0]).toMatchObject({ error: { code: 'UNSUPPORTED_FORMAT' } });
    expect(Object.hasOwn(found[0] as object, 'id') && (found[0] as { id: unknown }).id).toBeUndefined();
    expect(found[1]).toMatchObject({ error: { message: expect.stringContaining('got undefined') } });
    expect(found[2]).toMatchObject({ error: { message: expect.stringContaining('id of a message fetch') } });
    expect(found.slice(3)).toEqual([false, true]);
  });
});
