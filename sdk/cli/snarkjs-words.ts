import type { PippinError } from '../errors.js';
import { usageError } from './option.js';

/** A command of snarkjs' command line (0.7.6), and ours that does the same. */
interface Counterpart {
  readonly words: string;
  /** Its short names. */
  readonly aliases: readonly string[];
  readonly ours: string;
  /** Its operands in their order: our option for each (empty for our operand), and the file that snarkjs takes where none is named. */
  readonly operands: readonly (readonly [option: string, standard: string])[];
}

const ZKEY = ['zkey', 'circuit_final.zkey'] as const;
const WITNESS = ['witness', 'witness.wtns'] as const;
const INPUT = ['input', 'input.json'] as const;
const PROOF = ['proof', 'proof.json'] as const;
const PUBLIC = ['public', 'public.json'] as const;
const VKEY = 'verification_key.json';

const COUNTERPARTS: readonly Counterpart[] = [
  { words: 'groth16 prove', aliases: ['g16p', 'zpw'], ours: 'prove', operands: [ZKEY, WITNESS, PROOF, PUBLIC] },
  {
    words: 'groth16 fullprove',
    aliases: ['g16f', 'g16i'],
    ours: 'fullprove',
    operands: [INPUT, ['wasm', 'circuit_final.wasm'], ZKEY, PROOF, PUBLIC],
  },
  { words: 'groth16 verify', aliases: ['g16v'], ours: 'verify', operands: [['vkey', VKEY], PUBLIC, PROOF] },
  {
    words: 'wtns calculate',
    aliases: ['wc', 'calculatewitness'],
    ours: 'witness',
    operands: [['wasm', 'circuit.wasm'], INPUT, ['out', 'witness.wtns']],
  },
  { words: 'zkey export verificationkey', aliases: ['zkev'], ours: 'vkey', operands: [ZKEY, ['out', VKEY]] },
  {
    words: 'zkey export soliditycalldata',
    aliases: ['zkesc', 'generatecall'],
    ours: 'calldata',
    operands: [PUBLIC, PROOF],
  },
  { words: 'r1cs info', aliases: ['ri'], ours: 'info', operands: [['', 'circuit.r1cs']] },
  { words: 'file info', aliases: ['fi'], ours: 'info', operands: [['', 'circuit.zkey']] },
];

/** The first words of commands that Pippin has no counterpart for. */
const ELSEWHERE = ['powersoftau', 'groth16', 'plonk', 'fflonk', 'zkey', 'r1cs', 'wtns', 'zksnark', 'file'];

/** The error for a command line of snarkjs, with ours in its hint; undefined if it is none. */
export function snarkjsPointer(args: readonly string[]): PippinError | undefined {
  const [first = ''] = args;
  for (const counterpart of COUNTERPARTS) {
    const { words, aliases } = counterpart;
    const count = words.split(' ').length;
    const isFull = args.slice(0, count).join(' ').toLowerCase() === words;
    if (!isFull && !aliases.includes(first)) continue;
    const operands = args.slice(isFull ? count : 1).filter((each) => !each.startsWith('-'));
    const told = isFull ? words : first;
    return usageError(`expected a command of Pippin, got that of snarkjs: ${told}`, translated(counterpart, operands));
  }
  if (!ELSEWHERE.includes(first.toLowerCase())) return undefined;
  const told = args
    .slice(0, 3)
    .filter((each) => /^[a-z0-9]+$/i.test(each))
    .join(' ');
  return usageError(`expected a command of Pippin, got that of snarkjs: ${told}`, elsewhere(first.toLowerCase()));
}

function translated({ ours, operands }: Counterpart, given: readonly string[]): string {
  const options = operands.map(([option, standard], i) => {
    const file = quoted(given[i] ?? standard);
    return option === '' ? file : `--${option} ${file}`;
  });
  return ['pippin', ours, ...options].join(' ');
}

function elsewhere(first: string): string {
  const isOther = first === 'plonk' || first === 'fflonk';
  return `Pippin does not have it${isOther ? ', its proofs are of Groth16' : ''}: use snarkjs for it`;
}

/** An argument as a POSIX shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
