import type { Command } from './command.js';
import { COMMON_OPTIONS } from './common-options.js';
import type { CommandFacts, Option, Topic } from './option.js';
import { columnsOf, type Output, painter } from './terminal/style.js';

const HEADINGS: Readonly<Record<Topic, string>> = {
  proofs: 'Proofs',
  files: 'Files of circom and snarkjs',
  machine: 'This machine',
  shell: 'Your shell',
};

const EXAMPLES = [
  'pippin prove --zkey circuit.zkey --witness witness.wtns --proof proof.json --public public.json',
  'pippin verify --vkey vkey.json --proof proof.json --public public.json',
];

/** Where the text of long lists of terms begins at the latest. */
const MOST_INDENT = 26;

/** The least room for a text; a narrower terminal wraps by itself. */
const LEAST_ROOM = 20;

/** What `pippin --help` shows: every command in a line. */
export function overview(commands: readonly Command[], output: Output): string {
  const bold = headings(output);
  const topics = (Object.keys(HEADINGS) as Topic[]).flatMap((topic) => {
    const those = commands.filter((command) => command.topic === topic);
    if (those.length === 0) return [];
    return [
      `${bold(HEADINGS[topic])}\n${terms(
        those.map(({ name, summary }) => [name, summary]),
        output,
      )}`,
    ];
  });
  return [
    'pippin: zero-knowledge proofs on this device, on WebGPU and WebAssembly workers',
    `${bold('Examples')}\n${EXAMPLES.map((example) => `  ${example}`).join('\n')}`,
    ...topics,
    `pippin COMMAND --help tells all about a command; pippin --version tells the version.
Exit codes: 0 done; 1 the proof does not hold, or the work failed; 2 the usage or the input is wrong; 130 interrupted (Ctrl-C); 143 ended by SIGTERM.`,
  ].join('\n\n');
}

/** What `pippin COMMAND --help` shows. */
export function usage(command: CommandFacts, output: Output): string {
  const { name, summary, usage: arguments_, operand, options, notes = [], examples, exits } = command;
  const bold = headings(output);
  const listed = Object.entries({ ...options, ...COMMON_OPTIONS }).map(
    ([option, { value, help }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const all = operand === undefined ? listed : [[operand.value, operand.help] as const, ...listed];
  return [
    `pippin ${name} ${arguments_}`,
    sentence(summary),
    `${bold(operand === undefined ? 'Options' : 'Arguments')}\n${terms(all, output)}`,
    ...notes.map((note) => wrapped(note, 0, output)),
    `${bold(examples.length === 1 ? 'Example' : 'Examples')}\n${examples.map((example) => `  ${example}`).join('\n')}`,
    `${bold('Exit codes')}\n${terms(Object.entries(exitCodes(exits)), output)}`,
  ].join('\n\n');
}

/** What `pippin COMMAND --help --json` prints: the same for programs. */
export function usageObject(command: CommandFacts): object {
  const { name, summary, usage: arguments_, operand, options, notes = [], examples, exits } = command;
  return {
    command: name,
    summary,
    usage: `pippin ${name} ${arguments_}`,
    operand: operand === undefined ? undefined : { value: operand.value, help: operand.help, words: operand.words },
    options: Object.entries<Option>({ ...options, ...COMMON_OPTIONS }).map(
      ([option, { value, help, words, required = false }]) => ({ name: `--${option}`, value, help, words, required }),
    ),
    notes,
    examples,
    exitCodes: exitCodes(exits),
  };
}

/** What each exit code of a command means. */
function exitCodes(exits: CommandFacts['exits']): Record<string, string> {
  return { ...exits, 2: 'the usage or the input is wrong', 130: 'interrupted (Ctrl-C)', 143: 'ended by SIGTERM' };
}

function headings(output: Output): (text: string) => string {
  const paint = painter(output);
  return (text) => paint('bold', text);
}

/** Terms with their texts beside them; below them where a term is long. */
function terms(rows: readonly (readonly [term: string, text: string])[], output: Output): string {
  const longest = Math.max(...rows.map(([term]) => term.length));
  const indent = Math.min(longest + 4, MOST_INDENT);
  return rows
    .map(([term, text]) => {
      const lead = `  ${term}  `;
      return lead.length <= indent
        ? `${lead.padEnd(indent)}${wrapped(text, indent, output)}`
        : `${lead}${wrapped(text, indent, output, lead.length)}`;
    })
    .join('\n');
}

/** A text in lines that fit the terminal, indented from the second on; in one line if the output is none. */
function wrapped(text: string, indent: number, output: Output, first = indent): string {
  const columns = columnsOf(output);
  if (columns === undefined || columns - indent < LEAST_ROOM) return text;
  let line = first;
  return text.split(' ').reduce((done, word) => {
    const breaks = line + 1 + word.length >= columns && line > indent;
    line = breaks ? indent + word.length : line + word.length + (done === '' ? 0 : 1);
    if (breaks) return `${done}\n${' '.repeat(indent)}${word}`;
    return done === '' ? word : `${done} ${word}`;
  }, '');
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
