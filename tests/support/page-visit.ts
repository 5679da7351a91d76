import type * as Sdk from '../../sdk/index.js';
import type { Notice, Prover, ProverOptions } from '../../sdk/index.js';
import type * as Queue from '../../sdk/queue.js';
import { importPlainly } from './plain-imports.js';

const url = (path: string): string => new URL(path, location.href).href;

/** The scripts of the workers as the test server gives them: made from the sources. */
const assets = {
  coordinator: url('/tests/support/coordinator-worker.ts'),
  kernel: url('/tests/support/kernel-worker.ts'),
  witness: url('/tests/support/witness-worker.ts'),
  wasm: { bn254: url('/dist/bn254.wasm'), 'bn254-scalars': url('/dist/bn254-scalars.wasm') },
};

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
    importPlainly(page);
    const importInPage = new page.Function('url', 'return import(url)');
    const { createProver } = (await importInPage(url('/sdk/index.ts'))) as typeof Sdk;
    const notices: Notice[] = [];
    const prover = await createProver({ assets, onNotice: (notice) => void notices.push(notice), ...options });
    return new PageVisit(frame, page, prover, notices);
  }

  /** A queue of the page's own, on its prover. */
  async queue(options: Queue.ProofQueueOptions): Promise<Queue.ProofQueue> {
    const importInPage = new this.page.Function('url', 'return import(url)');
    const { createProofQueue } = (await importInPage(url('/sdk/queue.ts'))) as typeof Queue;
    return createProofQueue(this.prover, options);
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
