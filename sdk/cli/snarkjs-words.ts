import type { PippinError } from '../base/errors.js';
import type { Protocol } from '../proofs/parts.js';
import { usageError } from './option.js';

/** A command of snarkjs' command line (0.7.6), and ours that does the same. */
interface Counterpart {
  readonly words: string;
  /** Its other names, without names of our own commands. */
  readonly aliases: readonly string[];
  readonly ours: string;
  /**
   * Its operands in their order: our option for each (empty for our operand), and the file that snarkjs takes where
   * none is named.
   */
  readonly operands: readonly (readonly [option: string, standard: string])[];
}

const ZKEY = ['zkey', 'circuit_final.zkey'] as const;
const WITNESS = ['witness', 'witness.wtns'] as const;
const INPUT = ['input', 'input.json'] as const;
const PROOF = ['proof', 'proof.json'] as const;
const PUBLIC = ['public', 'public.json'] as const;
const VKEY = 'verification_key.json';

const COUNTERPARTS: readonly Counterpart[] = [
  ...proofCommands('groth16', 'circuit_final', {
    prove: ['g16p', 'zpw', 'zksnark proof', 'proof'],
    fullprove: ['g16f', 'g16i'],
    verify: ['g16v'],
  }),
  ...proofCommands('plonk', 'circuit', { prove: ['pkp'], fullprove: ['pkf'], verify: ['pkv'] }),
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

/**
 * The commands of a proof system, which are ours for every one.
 *
 * @param standard the name of the key and the WASM where none are named.
 */
function proofCommands(
  system: Protocol,
  standard: string,
  aliases: Readonly<Record<'prove' | 'fullprove' | 'verify', readonly string[]>>,
): readonly Counterpart[] {
  const zkey = ['zkey', `${standard}.zkey`] as const;
  const operands = {
    prove: [zkey, WITNESS, PROOF, PUBLIC],
    fullprove: [INPUT, ['wasm', `${standard}.wasm`], zkey, PROOF, PUBLIC],
    verify: [['vkey', VKEY], PUBLIC, PROOF],
  } as const;
  return (['prove', 'fullprove', 'verify'] as const).map((ours) => ({
    words: `${system} ${ours}`,
    aliases: aliases[ours],
    ours,
    operands: operands[ours],
  }));
}

/** The first words of commands that Pippin has no counterpart for. */
const GROUPS = ['powersoftau', 'groth16', 'plonk', 'fflonk', 'zkey', 'r1cs', 'wtns', 'zksnark', 'file'];

/** Their other names. */
const OTHER_NAMES = [
  ...['ptn', 'ptc', 'ptec', 'ptcc', 'ptir', 'ptb', 'pt2', 'ptcv', 'ptt', 'ptv', 'ptej'],
  ...['rp', 'print', 'rej', 'wd', 'wej', 'wchk'],
  ...['zkc', 'zkeb', 'zkbc', 'zkib', 'zkb', 'zkv', 'zkvr', 'zkvi', 'zkej', 'zkesv', 'generateverifier'],
  ...['g16s', 'zkn', 'pks', 'ffs', 'ffp', 'fff', 'ffv'],
  // Of older versions, or planned.
  ...['setup', 'zs', 'witness verify', 'wv'],
];

/** Commands of a proof system that Pippin does not have. */
const OTHER_SYSTEMS = /^(fflonk|ff[spfv])$/;

/** The error for a command line of snarkjs, with ours in its hint; undefined if it is none. */
export function snarkjsPointer(args: readonly string[]): PippinError | undefined {
  for (const counterpart of COUNTERPARTS) {
    const name = [counterpart.words, ...counterpart.aliases].find((each) => beginsWith(args, each));
    if (name === undefined) continue;
    const operands = args.slice(name.split(' ').length).filter((each) => !each.startsWith('-'));
    return pointer(name, translated(counterpart, operands));
  }
  const name = OTHER_NAMES.find((each) => beginsWith(args, each));
  if (name !== undefined) return pointer(name, elsewhere(name));
  const group = GROUPS.find((each) => beginsWith(args, each));
  if (group === undefined) return undefined;
  const words = args.slice(0, 3).filter((each) => /^[a-z0-9]+$/i.test(each));
  return pointer(words.join(' '), elsewhere(group));
}

/**
 * Our line for files that were given to one of our commands without options' names, in snarkjs' order; undefined where
 * that has no such order, or fewer files.
 *
 * @param given the options that were given by their names.
 */
export function namedLine(
  command: string,
  files: readonly string[],
  given: ReadonlyMap<string, unknown>,
): string | undefined {
  const order = COUNTERPARTS.find(({ ours }) => ours === command)?.operands ?? [];
  const open = order.map(([option]) => option).filter((option) => !given.has(option));
  if (files.length > open.length) return undefined;
  const named = new Map([...given, ...files.map((file, i) => [open[i]!, file] as const)]);
  const options = [...named].map(
    ([option, value]) => `--${option}${value === true ? '' : ` ${quoted(String(value))}`}`,
  );
  return ['pippin', command, ...options].join(' ');
}

/** Whether the arguments begin with these words, in small letters or large ones, as in snarkjs. */
function beginsWith(args: readonly string[], name: string): boolean {
  return name.split(' ').every((word, i) => args[i]?.toLowerCase() === word);
}

function pointer(told: string, hint: string): PippinError {
  return usageError(`expected a command of Pippin, got one of snarkjs: ${told}`, hint);
}

function translated({ ours, operands }: Counterpart, given: readonly string[]): string {
  const options = operands.map(([option, standard], i) => {
    const file = quoted(given[i] ?? standard);
    return option === '' ? file : `--${option} ${file}`;
  });
  return ['pippin', ours, ...options].join(' ');
}

function elsewhere(name: string): string {
  const isOther = OTHER_SYSTEMS.test(name);
  return `Pippin does not have it${isOther ? ', its proofs are of Groth16 and PLONK' : ''}: use snarkjs for it`;
}

/** An argument as a POSIX shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
