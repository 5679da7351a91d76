import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium, plainFlags } from '../../scripts/lib/chromium.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { summarize, type Times } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import { fetchInPage, proveInPage } from './browser-page.js';
import { checkWith } from './check.js';
import type { CpuOptions } from './options.js';
import { type BenchCircuit, benchCircuit, CIRCUITS, circuitLabel } from './setup/circuits.js';

/** The folder of the bundled benchmark, which is served. It holds the page and the keys. */
const SERVED = fileURLToPath(new URL('.', import.meta.url));
const RUNS = 3;
const LATER_BAR = 4;
const FIRST_BAR = 3;
const CONTENDERS = ['pippin', 'snarkjs'] as const;

/**
 * Measures first and later proofs in headless Chromium beside snarkjs' browser build. Key and witness are in the page's
 * memory.
 */
export async function browserRows(options: CpuOptions, report: BenchReport): Promise<void> {
  const wanted = CIRCUITS.map((name) => ({
    name,
    first: `Chromium first ${circuitLabel(name)}`,
    later: `Chromium proof ${circuitLabel(name)}`,
  })).filter(({ first, later }) => options.wants(first) || options.wants(later));
  if (wanted.length === 0) return;
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('expected Chromium, got none');
  const server = await serveFolder(SERVED);
  try {
    const browser = await chromium.launch({ executablePath, args: plainFlags() });
    const modules = new Set<string>();
    for (const { name, first, later } of wanted) {
      const circuit = await benchCircuit(name);
      const session = await browser.newBrowserCDPSession();
      const lab = new PageLab(browser, session, `${server.url}app/`, circuit, options.threads, modules);
      if (options.wants(first)) {
        const calls = await lab.firstCalls();
        report.add(
          first,
          calls.map((times, i) => summarize(CONTENDERS[i]!, times)),
          { snarkjs: FIRST_BAR },
        );
      }
      if (options.wants(later)) {
        const calls = await lab.laterCalls();
        report.add(
          later,
          calls.map((times, i) => summarize(CONTENDERS[i]!, times)),
          { snarkjs: LATER_BAR },
        );
      }
    }
    console.log(`Chromium ${browser.version()} ran ${[...modules].join(', ')}`);
    await browser.close();
  } finally {
    await server.close();
  }
}

/** The pages in which one circuit is proved. */
class PageLab {
  constructor(
    private readonly browser: Browser,
    private readonly session: CDPSession,
    private readonly url: string,
    private readonly circuit: BenchCircuit,
    private readonly threads: number,
    /** The names of the WASM files that pages have fetched. */
    private readonly modules: Set<string>,
  ) {}

  /** Times of each contender's first proof, each in a fresh page. */
  async firstCalls(): Promise<Times[][]> {
    const calls = CONTENDERS.map((): Times[] => []);
    for (let run = 0; run < RUNS; run++) {
      for (const [i, contender] of CONTENDERS.entries()) {
        const page = await this.open();
        calls[i]!.push(await this.prove(page, contender));
        await page.context().close();
      }
    }
    return calls;
  }

  /** Times of later proofs. All are made in one page, and the contenders take turns. */
  async laterCalls(): Promise<Times[][]> {
    const calls = CONTENDERS.map((): Times[] => []);
    const page = await this.open();
    for (let run = -1; run < RUNS; run++) {
      for (const [i, contender] of CONTENDERS.entries()) {
        const times = await this.prove(page, contender);
        if (run >= 0) calls[i]!.push(times);
      }
    }
    await page.context().close();
    return calls;
  }

  /** Opens a page in a profile of its own, with key and witness in its memory. It sees `threads` processors. */
  private async open(): Promise<Page> {
    const context = await this.browser.newContext();
    const page = await context.newPage();
    page.on('request', (request) => {
      const file = new URL(request.url()).pathname.split('/').at(-1)!;
      if (file.endsWith('.wasm')) this.modules.add(file);
    });
    await page.addInitScript((count) => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count });
    }, this.threads);
    await page.goto(this.url);
    const [zkey, witness] = [this.circuit.zkey, this.circuit.witness].map((file) => `../${relative(SERVED, file)}`);
    await page.evaluate(fetchInPage, { zkey: zkey!, witness: witness! });
    return page;
  }

  /** Times one proof, and verifies it outside of the page. */
  private async prove(page: Page, contender: (typeof CONTENDERS)[number]): Promise<Times> {
    const before = await this.cpuSeconds();
    const { wall, ...proved } = await page.evaluate(proveInPage, { contender, threads: this.threads });
    const cpu = (await this.cpuSeconds()) - before;
    await checkWith(this.circuit.verificationKey)(proved);
    return { wall, cpu: 1000 * cpu };
  }

  /** Seconds of CPU time that all of the browser's processes have used. */
  private async cpuSeconds(): Promise<number> {
    const { processInfo } = await this.session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((total, { cpuTime }) => total + cpuTime, 0);
  }
}
