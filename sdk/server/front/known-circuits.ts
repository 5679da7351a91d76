import type { CircuitInfo } from '../queue/types.js';
import type { ApiKey } from './api-key.js';
import type { AskedQueue } from './ask-queue.js';
import type { FrontQueue } from './front-queue.js';

/** The queue is asked at most once in so many milliseconds whether there are further circuits. */
const KEPT_MS = 1000;

/** The circuits of a queue that API keys may use. Workers may bring further ones while the front runs. */
export class KnownCircuits {
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly queue: FrontQueue,
    private readonly asked: AskedQueue,
  ) {}

  /** All that the key may use. */
  async list(apiKey: ApiKey): Promise<CircuitInfo[]> {
    await this.learn();
    return this.known(apiKey);
  }

  async find(id: string, apiKey: ApiKey): Promise<CircuitInfo | undefined> {
    const known = this.known(apiKey).find((circuit) => circuit.id === id);
    return known ?? (await this.list(apiKey)).find((circuit) => circuit.id === id);
  }

  private known({ circuits }: ApiKey): CircuitInfo[] {
    return this.queue.circuits().filter(({ id }) => circuits === undefined || circuits.includes(id));
  }

  private async learn(): Promise<void> {
    const now = performance.now();
    if (now - this.askedAt < KEPT_MS) return;
    this.askedAt = now;
    await this.asked.ask((queue) => queue.farm());
  }
}
