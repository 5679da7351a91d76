import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { createFront, newApiKey } from '../../farm/src/index.js';
import { FakeProofQueue } from '../support/fake-proof-queue.js';
import type { Random } from '../support/random.js';
import { BadRequests, SECRET, type SentRequest } from './bad-requests.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { MemoryTrend } from './memory-trend.js';

/** Requests of a case. One in so many more is sent below HTTP, as bytes on a connection. */
const REQUESTS = 10;
const ON_A_CONNECTION = 10;

/** Milliseconds in which a connection must be answered or closed. */
const ANSWERED_MS = 20_000;

/** Problems that a request may be answered with; whatever it is, it must not be the server's fault. */
const REFUSED = new Set([400, 401, 403, 404, 408, 409, 410, 413, 415, 422, 429, 431]);

/** Bad requests to the front of a prover farm, over a queue in memory. */
export const farmRequests: Campaign = {
  about: 'Every bad request is refused with a problem in the one shape, and leaves the front as it was.',
  tiers: ['wasm'],
  short: 8,
  full: 1000,
  async open() {
    return new OpenFarmRequests(await Target.open());
  },
};

class OpenFarmRequests implements OpenCampaign {
  private readonly memory = new MemoryTrend(true);

  constructor(private readonly target: Target) {}

  async run(random: Random): Promise<string[]> {
    const { target } = this;
    const requests = new BadRequests(random, target.key);
    const kinds: string[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      const isRaw = random.integer(ON_A_CONNECTION) === 0;
      kinds.push(isRaw ? await target.sendBytes(requests.bytes()) : await target.send(requests.request()));
    }
    await target.proveOne();
    this.memory.caseDone();
    return kinds;
  }

  figures(): Readonly<Record<string, string>> {
    return this.memory.figures();
  }

  close(): Promise<void> {
    return this.target.close();
  }
}

/** A front, and what it must answer. */
class Target {
  private constructor(
    private readonly app: FastifyInstance,
    private readonly queue: FakeProofQueue,
    private readonly port: number,
    readonly key: string,
  ) {}

  static async open(): Promise<Target> {
    const queue = new FakeProofQueue();
    const { key, sha256 } = newApiKey();
    const apiKeys = [{ name: 'alice', sha256, requestsPerMinute: 1e9 }];
    const app = await createFront({ queue, apiKeys, inputsLimit: 2 ** 14, witnessLimit: 2 ** 14, closeTimeout: 1000 });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    return new Target(app, queue, Number(port), key);
  }

  /** Sends a request, and gives the code of the problem, or `taken` if nothing was wrong with it. */
  async send(request: SentRequest): Promise<string> {
    const { statusCode, headers, payload } = await this.app.inject(request);
    const kind = this.kindOf(statusCode, String(headers['content-type'] ?? ''), payload, describe(request));
    await this.forgetJobs();
    return kind;
  }

  /** Sends bytes on a connection of their own, and ends it. */
  async sendBytes(bytes: Buffer): Promise<string> {
    const socket = connect({ port: this.port, host: '127.0.0.1' });
    socket.setTimeout(ANSWERED_MS, () => socket.destroy(new Error('expected an answer or the end, got neither')));
    socket.end(bytes);
    const answer = (await buffer(socket)).toString('latin1');
    await this.forgetJobs();
    if (answer === '') return 'closed';
    // A connection may carry further requests after the first, whose answers are not looked at.
    const end = answer.indexOf('\r\n\r\n');
    const [head, rest] = [answer.slice(0, end), answer.slice(end + 4)];
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim() ?? '';
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    // An answer to HEAD tells the length of a body that it does not have.
    const body = rest.startsWith('HTTP/1.1 ') ? '' : rest.slice(0, length);
    return this.kindOf(status, type, body, bytes.toString('latin1'));
  }

  /** A good request, which must be taken whatever came before it. */
  async proveOne(): Promise<void> {
    const headers = { authorization: `Bearer ${this.key}` };
    const payload = { circuit: 'note', inputs: { a: '1' } };
    const { statusCode } = await this.app.inject({ method: 'POST', url: '/v1/proofs', headers, payload });
    if (statusCode !== 202) throw new Error(`expected a good request to be taken, got ${statusCode}`);
    await this.forgetJobs();
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private kindOf(status: number, type: string, text: string, sent: string): string {
    if (text.includes(SECRET) || text.includes(this.key)) throw new Error(`expected no secret in ${text}: ${sent}`);
    if (status < 300) return 'taken';
    // An answer to HEAD has no body.
    if (text === '' && REFUSED.has(status) && sent.includes('HEAD')) return `HEAD ${status}`;
    const { code, message } = type.startsWith('application/problem+json') ? JSON.parse(text) : {};
    if (REFUSED.has(status) && typeof code === 'string' && typeof message === 'string') return code;
    throw new Error(`expected a problem of the caller's, got ${status} ${type} ${text.slice(0, 500)}: ${sent}`);
  }

  /** Cancels what was taken after all, as its owner. */
  private async forgetJobs(): Promise<void> {
    const headers = { authorization: `Bearer ${this.key}` };
    for (const id of this.queue.jobs.keys()) {
      await this.app.inject({ method: 'DELETE', url: `/v1/proofs/${id}`, headers });
      this.queue.jobs.delete(id);
      this.queue.requests.delete(id);
    }
  }
}

function describe({ method, url, headers, payload }: SentRequest): string {
  return JSON.stringify({ method, url, headers, payload: String(payload).slice(0, 2000) });
}
