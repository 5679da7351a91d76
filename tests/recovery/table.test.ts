import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PippinError, type PippinErrorCode } from '../../sdk/base/errors.js';
import { BudgetExceeded } from '../../sdk/base/memory-budget.js';
import { type Distrust, leadsTo, type Row, rowFor, TABLE } from '../../sdk/recovery/table.js';
import { root } from '../support/root.js';

const error = (code: PippinErrorCode): PippinError => new PippinError(code, 'expected a result');

const WHEN: Readonly<Record<Distrust, string>> = {
  no: '',
  'unless required': ' (a)',
  yes: ' (b)',
  'if others are right': ' (c)',
};

/** A row as docs/architecture.md shows it. */
function shown({ codes, by, from, next, otherwise }: Row): string {
  const rungs = Object.entries(next).map(([rung, distrust]) => `\`${rung}\`${WHEN[distrust]}`);
  const cells = [
    codes.map((code) => `\`${code}\``).join(', '),
    by.join(' or '),
    from.join(' or '),
    rungs.join(', '),
    `give up${WHEN[otherwise]}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

describe('the table of recovery', () => {
  it('is the one that docs/architecture.md shows', () => {
    const page = readFileSync(`${root}/docs/architecture.md`, 'utf8');
    expect(page).toContain(TABLE.map(shown).join('\n'));
  });

  it('has none for what the caller asked for, for what is no PippinError, and for the last word on points of the file', () => {
    for (const code of ['ABORTED', 'DISPOSED', 'INVALID_LENGTH', 'MALFORMED_FILE'] as const) {
      for (const by of ['gpu', 'workers', 'any'] as const) expect(rowFor(error(code), by, 'cache')).toBeUndefined();
    }
    expect(rowFor(new TypeError('a bug'), 'gpu', 'file')).toBeUndefined();
    expect(rowFor(error('PROOF_INVALID'), 'workers', 'file')).toBeUndefined();
    expect(rowFor(error('RESULT_INVALID'), 'any', 'file')).toBeUndefined();
  });

  it('says what a failure may lead to', () => {
    expect(leadsTo(error('OUT_OF_MEMORY'), 'gpu', 'workers')).toBe(true);
    expect(leadsTo(new BudgetExceeded('expected room'), 'gpu', 'workers')).toBe(false);
    expect(leadsTo(new BudgetExceeded('expected room'), 'gpu', 'workers', 'scalars')).toBe(true);
    expect(leadsTo(error('WORKER_FAILED'), 'gpu', 'workers')).toBe(false);
    expect(leadsTo(error('WORKER_FAILED'), 'workers', 'members')).toBe(true);
    expect(leadsTo(new TypeError('a bug'), 'gpu', 'workers')).toBe(false);
  });
});
