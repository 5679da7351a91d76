import type { InjectOptions } from 'fastify';
import type { Random } from '../support/random.js';
import { flipped, pick } from './mutated-bytes.js';
import { mutatedJson } from './mutated-json.js';

export type SentRequest = InjectOptions & {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
};

/** Stands where inputs are secret; no answer may show it. */
export const SECRET = '918273645546372819';

const METHODS = [
  ...Array<'POST'>(12).fill('POST'),
  ...(['GET', 'GET', 'GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'] as const),
];
const TYPES = [
  ...['application/json', 'application/json', 'application/json; charset=utf-8', 'application/octet-stream'],
  ...[
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    ';',
    'a'.repeat(500),
  ],
];
const PATHS = [
  ...[
    '/v1/proofs',
    '/v1/proofs',
    '/v1/proofs',
    '/v1/proofs/',
    '/v1/circuits',
    '/v1',
    '/metrics',
    '/openapi.json',
    '/readyz',
  ],
  ...[
    '/v1/proofs/ID',
    '/v1/proofs/ID/result',
    '/v1/proofs/ID/events',
    '/v1/proofs/ID/events/x',
    '//v1//proofs',
    '/v1/../etc/passwd',
  ],
];
const IDS = [
  ...[
    'note.alice_x',
    'note.bob_x',
    'note',
    '.',
    '..',
    '%',
    '%00',
    '%2e%2e%2f',
    '%F0%9F%92%A9',
    '%C0%80',
    "'; DROP",
    'a:b:c',
  ],
  ...['__proto__', 'constructor', '*', 'x'.repeat(64), 'x'.repeat(400), 'x'.repeat(5000)],
];
const MEMBERS = [
  'wait',
  'circuit',
  'id',
  'priority',
  'deadline',
  'inputs',
  'witness',
  'owner',
  '__proto__',
  'wait[]',
  '',
];
const VALUES = [
  ...[
    '',
    '0',
    '1',
    '-1',
    '61',
    '1e3',
    '0x10',
    ' 1',
    '1.5',
    'NaN',
    'null',
    'true',
    '99999999999999999999',
    'note',
    'vote',
  ],
  ...['witness-only', 'x'.repeat(41), '%00', '%', '[object Object]', '1970-01-01', 'note&circuit=vote'],
];

const GOOD = {
  circuit: 'note',
  inputs: { amount: SECRET, path: [SECRET, [SECRET, '0x10']], bus: { x: SECRET } },
  id: 'salary',
  priority: 500,
  deadline: 2_000_000_000_000,
};

/** Requests with something wrong, or several things; a few of them are good after all. */
export class BadRequests {
  constructor(
    private readonly random: Random,
    private readonly key: string,
  ) {}

  request(): SentRequest {
    const method = pick(this.random, METHODS);
    const payload = method === 'GET' || method === 'HEAD' || this.rarely() ? undefined : this.body();
    return {
      method,
      url: this.url(method),
      headers: this.headers(payload),
      ...(payload === undefined ? {} : { payload }),
    };
  }

  /** Bytes that are almost a request of HTTP. */
  bytes(): Buffer {
    const { method, url, headers, payload = '' } = this.request();
    const body = Buffer.from(payload);
    const length = this.rarely() ? pick(this.random, ['-1', '0', '5', '99999999999', 'x']) : String(body.length);
    const lines = [
      `${this.rarely() ? 'P\u00f6ST' : method} ${String(url).replaceAll(' ', '+')} HTTP/${this.rarely() ? '9.9' : '1.1'}`,
      ...(this.rarely() ? [] : ['Host: localhost']),
      'Connection: close',
      ...(this.rarely() ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${length}`]),
      ...(this.rarely() ? [`X: ${'x'.repeat(this.random.integer(30_000))}`] : []),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
    const bytes = this.random.integer(2) === 0 ? Buffer.from(flipped(whole, this.random)) : whole;
    return this.rarely() ? bytes.subarray(0, this.random.integer(bytes.length + 1)) : bytes;
  }

  private url(method: string): string {
    const isUsual = method === 'POST' && this.random.integer(4) > 0;
    const path = (isUsual ? '/v1/proofs' : pick(this.random, PATHS)).replace(
      'ID',
      encodeURI(pick(this.random, IDS)).replaceAll('%25', '%'),
    );
    if (this.random.integer(4) > 0) return path;
    const members = Array.from({ length: 1 + this.random.integer(4) }, () => this.member());
    return `${path}?${members.join('&')}`;
  }

  private member(): string {
    const name = pick(this.random, MEMBERS);
    return this.rarely() ? name : `${name}=${encodeURI(pick(this.random, VALUES)).replaceAll('%25', '%')}`;
  }

  private body(): string | Buffer {
    switch (this.random.integer(12)) {
      case 0:
        return Buffer.from(Array.from({ length: this.random.integer(200) }, () => this.random.integer(256)));
      case 1:
        return '['.repeat(this.random.integer(20_000));
      case 2:
        return JSON.stringify(GOOD).slice(0, this.random.integer(200));
      case 3:
        return JSON.stringify({ ...GOOD, inputs: { a: 'x'.repeat(this.random.integer(40_000)) } });
      case 4:
      case 5:
      case 6:
        return textOf({ ...GOOD, inputs: mutatedJson(GOOD.inputs, this.random) });
      default:
        return textOf(mutatedJson(GOOD, this.random));
    }
  }

  private headers(payload: string | Buffer | undefined): Record<string, string> {
    const authorization = pick(this.random, [
      ...Array<string>(12).fill(`Bearer ${this.key}`),
      ...[`Bearer ${this.key}x`, `Bearer ${this.key.slice(0, -1)}`, this.key, 'Bearer', `Basic ${this.key}`],
      ...['', `Bearer ${'x'.repeat(3000)}`],
    ]);
    const type = this.random.integer(3) > 0 ? 'application/json' : pick(this.random, TYPES);
    return {
      ...(authorization === '' ? {} : { authorization }),
      ...(payload === undefined && !this.rarely() ? {} : { 'content-type': type }),
      ...(this.rarely() ? { 'content-encoding': 'gzip' } : {}),
      ...(this.rarely() ? { accept: 'text/html' } : {}),
    };
  }

  private rarely(): boolean {
    return this.random.integer(12) === 0;
  }
}

/** A value as JSON, as far as there is such a form. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{"circuit":"note","inputs":';
  }
}
