import { writeFileSync } from 'node:fs';
import type { Contender } from './contender.js';
import type { Figures } from './runner.js';

interface Row extends Figures {
  readonly curve: string;
  readonly work: string;
  readonly name: string;
  /**
   * Operations of all threads in 10^9 a second, inversions in 10^6 a second. Undefined where the contender has no such
   * operations.
   */
  readonly gigaProducts: number;
  readonly gigaAdditions?: number;
  readonly megaInversions?: number;
  /**
   * How many products take as long as one inversion, in the curve's fastest chain of products that was measured before
   * it.
   */
  readonly productsAnInversion?: number;
}

/** Prints a table, and writes the same figures to the file that `--json` names. */
export class FieldReport {
  private readonly rows: Row[] = [];
  private readonly failures: { readonly name: string; readonly message: string }[] = [];

  constructor(private readonly title: string) {
    console.log(`${title}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`);
    const heads = ['G add/s', 'G mul/s', 'M inv/s', 'mul/inv', 'ms', 'min', 'max', 'compile ms'];
    console.log(`${line('field', 'work', 'variant')} ${heads.map(column).join(' ')}`);
  }

  add(contender: Contender, figures: Figures): void {
    const { curve, work, name, threads, products, additions, inversions = 0 } = contender;
    const giga = (each: number): number => (threads * each) / figures.median / 1e6;
    const chains = this.rows.filter((row) => row.curve === curve && row.work === 'product');
    const fastest = Math.max(0, ...chains.map((row) => row.gigaProducts));
    const rates = {
      gigaProducts: giga(products),
      ...(additions > 0 ? { gigaAdditions: giga(additions) } : {}),
      ...(inversions > 0 ? { megaInversions: 1e3 * giga(inversions) } : {}),
      ...(inversions > 0 && fastest > 0 ? { productsAnInversion: fastest / giga(inversions) } : {}),
    };
    this.rows.push({ curve, work, name, ...rates, ...figures });
    const cells = [
      rates.gigaAdditions?.toFixed(3) ?? '',
      products > 0 ? rates.gigaProducts.toFixed(2) : '',
      rates.megaInversions?.toFixed(1) ?? '',
      rates.productsAnInversion?.toFixed(1) ?? '',
      ...[figures.median, figures.min, figures.max].map((ms) => ms.toFixed(3)),
      figures.compile.toFixed(0),
    ];
    console.log(`${line(curve, work, name)} ${cells.map(column).join(' ')}`);
  }

  skip({ curve, work, name }: Contender, reason: string): void {
    console.log(`${line(curve, work, name)} skipped: ${reason}`);
  }

  fail({ curve, work, name }: Contender, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.failures.push({ name: `${curve} ${work} ${name}`, message });
    console.log(`${line(curve, work, name)} failed: ${message}`);
  }

  /** Writes the file. Returns the exit code, which is 1 if a contender failed. */
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

function line(curve: string, work: string, name: string): string {
  return `${curve.padEnd(10)} ${work.padEnd(9)} ${name.padEnd(40)}`;
}

function column(text: string): string {
  return text.padStart(10);
}
