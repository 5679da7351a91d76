import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plotFiles, readFigures } from '../../scripts/docs/plots.mjs';
import { root } from '../support/root.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the plots of the docs', () => {
  it.each([...plotFiles()])('%s is that of figures.json (node scripts/docs/plots.mjs)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  it.each(readFigures())(
    '$id: each value stands in its section of docs/performance.md',
    ({ section, series, rows }) => {
      const [, text = ''] = read('docs/performance.md').split(`\n## ${section}\n`);
      // 12 410 is one number.
      const numbers = text
        .split('\n## ')[0]!
        .replace(/(?<=\d) (?=\d{3}\b)/g, '')
        .match(/\d+(\.\d+)?/g);
      expect(numbers).not.toBeNull();
      const known = new Set(numbers!.map(Number));
      expect(series.flatMap(({ values }) => values).filter((value) => !known.has(value))).toEqual([]);
      for (const { values } of series) expect(values).toHaveLength(rows.length);
    },
  );
});
