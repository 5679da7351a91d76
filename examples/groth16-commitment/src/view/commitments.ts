import type { ProgressEvent } from 'pippin-prover';
import { element } from '../dom.js';
import { duration, shortHex } from '../format.js';
import { rosette } from './rosette.js';

type Commitment = Extract<ProgressEvent, { kind: 'commitment' }>;

const NAMES = ['A', 'B', 'C'] as const;

/** The three points that a proof is made of, each shown as soon as it is known. */
export class Commitments {
  constructor(private readonly parent: HTMLOListElement) {
    this.clear();
  }

  clear(): void {
    this.parent.replaceChildren(
      ...NAMES.map((name) => {
        const text = element('span', 'commitment-text', element('span', 'help', 'not yet'));
        return element('li', 'commitment', element('span', 'seal', name), text);
      }),
    );
  }

  /** Shows a point that became known `ms` after the call began. */
  show({ name, point }: Commitment, ms: number): void {
    const item = this.parent.children[(NAMES as readonly string[]).indexOf(name)];
    const x = firstNumber(point);
    if (item === undefined || x === undefined) return;
    const value = element('span', 'mono', shortHex(x));
    const text = element('span', 'commitment-text', value, element('span', 'help', `after ${duration(ms)}`));
    item.replaceChildren(element('span', 'seal', rosette(x), name), text);
    item.classList.add('known');
  }
}

/** A point's x, or of one over F_p^2 the first number of x. */
function firstNumber(point: Commitment['point']): string | undefined {
  const x = point[0];
  return typeof x === 'string' ? x : x?.[0];
}
