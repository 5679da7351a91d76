import type { FileInfo } from '../../encodings/file-info.js';
import { readInfo } from '../../hosts/node/node-files.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS, givenMaxBytes } from '../common-options.js';
import { STANDARD } from '../files.js';
import { usageError } from '../option.js';
import { bytesText, table } from '../text.js';

const KINDS = { zkey: 'proving key', wtns: 'witness', r1cs: 'constraint system' } as const;

export const infoCommand = defineCommand({
  name: 'info',
  topic: 'files',
  summary: 'tell what a .zkey, .wtns or .r1cs holds',
  usage: 'FILE [options]',
  operand: { value: 'FILE', help: 'a path or URL', files: '' },
  options: DOWNLOAD_OPTIONS,
  notes: ['Only headers are read, and no value of a witness.'],
  examples: ['pippin info circuit.zkey', 'pippin info circuit.r1cs --json'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context, path) {
    if (path === STANDARD) {
      throw usageError('expected FILE as a file, got - for standard input', 'write it to a file first');
    }
    context.step('Reading the file');
    const facts = await readInfo(path, { signal: context.signal, ...givenMaxBytes(values) });
    await context.result(facts, table(rowsOf(facts)));
    return 0;
  },
});

function rowsOf(facts: FileInfo): [name: string, value: string][] {
  const common: [string, string][] = [
    ['File', `${KINDS[facts.kind]}${facts.kind === 'zkey' ? ` of ${facts.protocol}` : ''}, ${bytesText(facts.bytes)}`],
    ['Curve', facts.curve ?? `none that Pippin has: ${facts.field}`],
  ];
  const rows: [string, number | string | undefined][] =
    facts.kind === 'wtns'
      ? [['Values', facts.variables]]
      : facts.kind === 'zkey'
        ? [
            [facts.protocol === 'groth16' ? 'Constraints' : 'Gates', facts.constraints],
            ['Variables', facts.variables],
            ['Additions', facts.additions],
            ['Public signals', facts.publicSignals],
            ['Domain size', facts.domainSize],
            ['Contributions', contributionsText(facts.contributions)],
          ]
        : [
            ['Constraints', facts.constraints],
            ['Variables', facts.variables],
            ['Public outputs', facts.publicOutputs],
            ['Public inputs', facts.publicInputs],
            ['Private inputs', facts.privateInputs],
            ['Labels', facts.labels],
            ['Custom gates', facts.customGates ? 'yes' : 'no'],
          ];
  const known = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return [...common, ...known];
}

function contributionsText(contributions: number | undefined): string | undefined {
  if (contributions !== 0) return contributions?.toString();
  return '0: anyone can forge proofs for this key';
}
