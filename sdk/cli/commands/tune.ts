import { CURVES, type CurveId } from '../../curves/index.js';
import { defineCommand } from '../command.js';
import { describeMap } from '../describe-map.js';
import { integer, word } from '../option.js';
import { stepOf, withProver } from '../prover.js';
import { PROVER_OPTIONS, proverOptions } from '../prover-options.js';

/** Measures this machine, keeps the map for later provers, and prints it. */
export const tune = defineCommand({
  name: 'tune',
  topic: 'machine',
  summary: 'measure how fast this machine computes sums, for later provers to plan by',
  usage: '[--max-ms N] [--curve C] [options]',
  options: {
    'max-ms': integer('N', 'measure for about so many milliseconds (default: 3000)', 1),
    curve: word(Object.keys(CURVES) as CurveId[], 'measure sums on this curve (default: bn254)'),
    ...PROVER_OPTIONS,
  },
  notes: [
    'Prints what it measured, and keeps it in the cache: later provers plan by it. With --json it is a map that createProver takes as performanceMap.',
  ],
  examples: ['pippin tune --max-ms 10000'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context) {
    const { 'max-ms': maxMs, curve } = values;
    const map = await withProver(proverOptions(values), context, (prover) =>
      prover.tune({
        ...stepOf(context, 'Measuring sums'),
        ...(maxMs === undefined ? {} : { maxMs }),
        ...(curve === undefined ? {} : { curves: [curve] }),
      }),
    );
    await context.result(map, describeMap(map).join('\n'));
    return 0;
  },
});
