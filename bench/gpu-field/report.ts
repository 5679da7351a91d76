import { writeFileSync } from 'node:fs';
import type { Contender } from './contender.js';
import type { Figures } from './runner.js';

interface Row extends Figures {
  readonly curve: string;
  readonly work: string;
  readonly name: string;
  /** Of all threads, in 10^9 a second; additions only where there are any. */
  readonly gigaProducts: number;
  readonly gigaAdditions?: number;
}

/** The table on stdout, and the same figures where `--json` says. */
export class FieldReport {
  private readonly rows: Row[] = [];
  private readonly failures: { readonly name: string; readonly message: string }[] = [];

  constructor(private readonly title: string) {
    console.log(`${title}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`);
    const heads = ['G add/s', 'G mul/s', 'ms', 'min', 'max', 'compile ms'];
    console.log(`${'field'.padEnd(10)} ${'work'.padEnd(9)} ${'variant'.padEnd(32)} ${heads.map(column).join(' ')}`);
  }

  add(contender: Contender, figures: Figures): void {
    const { curve, work, name, threads, products, additions } = contender;
    const giga = (each: number): number => (threads * each) / figures.median / 1e6;
    const rates = { gigaProducts: giga(products), ...(additions > 0 ? { gigaAdditions: giga(additions) } : {}) };
    this.rows.push({ curve, work, name, ...rates, ...figures });
    const cells = [
      additions > 0 ? giga(additions).toFixed(3) : '',
      giga(products).toFixed(2),
      ...[figures.median, figures.min, figures.max].map((ms) => ms.toFixed(3)),
      figures.compile.toFixed(0),
    ];
    console.log(`${curve.padEnd(10)} ${work.padEnd(9)} ${name.padEnd(32)} ${cells.map(column).join(' ')}`);
  }

  fail({ curve, work, name }: Contender, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.failures.push({ name: `${curve} ${work} ${name}`, message });
    console.log(`${curve.padEnd(10)} ${work.padEnd(9)} ${name.padEnd(32)} failed: ${message}`);
  }

  /** Writes the file; gives the exit code. */
  finish(): number {
    const at = process.argv.indexOf('--json');
    const path = process.argv[at + 1];
    if (at >= 0 && path !== undefined) {
      const facts = { title: this.title, date: new Date().toISOString(), node: process.version };
      writeFileSync(path, `${JSON.stringify({ ...facts, rows: this.rows, failures: this.failures }, undefined, 1)}\n`);
    }
    return this.failures.length === 0 ? 0 : 1;
  }
}

function column(text: string): string {
  return text.padStart(10);
}
