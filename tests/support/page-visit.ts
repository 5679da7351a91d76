import type * as Encodings from '../../sdk/encodings.js';
import type * as Sdk from '../../sdk/index.js';
import type { Notice, Prover, ProverOptions } from '../../sdk/index.js';
import type * as Queue from '../../sdk/queue.js';

/** A script of the built package (`built-package.ts`): a page that loads the sources one by one takes seconds. */
const script = (name: string): string => new URL(`/built/${name}`, location.href).href;

/**
 * For tests in a browser: a visitor's stay on a page of this origin. The page is a document of its own, with modules
 * and workers of its own.
 */
export class PageVisit {
  /** @param notices what the prover has told since the page was opened. */
  private constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly page: typeof globalThis,
    readonly prover: Prover,
    readonly notices: readonly Notice[],
  ) {}

  static async begin(options: ProverOptions): Promise<PageVisit> {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const page = frame.contentWindow as unknown as typeof globalThis;
    const importInPage = new page.Function('url', 'return import(url)');
    const { createProver } = (await importInPage(script('index.js'))) as typeof Sdk;
    const notices: Notice[] = [];
    const prover = await createProver({ onNotice: (notice) => void notices.push(notice), ...options });
    return new PageVisit(frame, page, prover, notices);
  }

  /** A queue of the page's own, on its prover. */
  async queue(options: Queue.ProofQueueOptions): Promise<Queue.ProofQueue> {
    const { createProofQueue } = (await this.import('queue.js')) as typeof Queue;
    return createProofQueue(this.prover, options);
  }

  /** The page's functions of `pippin-prover/encodings`. */
  async encodings(): Promise<typeof Encodings> {
    return (await this.import('encodings.js')) as typeof Encodings;
  }

  private import(name: string): Promise<unknown> {
    return new this.page.Function('url', 'return import(url)')(script(name)) as Promise<unknown>;
  }

  /** A copy of the bytes in the page's own kind of array, as its scripts have them. */
  bytes(bytes: Uint8Array): Uint8Array {
    return new this.page.Uint8Array(bytes);
  }

  /** Closes the page, as a visitor does: the prover is not disposed of, and its workers end where they are. */
  end(): void {
    this.frame.remove();
  }
}
