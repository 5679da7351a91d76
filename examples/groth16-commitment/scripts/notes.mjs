import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import * as snarkjs from 'snarkjs';
import { compileCircuit } from '../../../scripts/lib/trusted-setup.mjs';

/** Height of the tree; the circuit has it as its parameter. */
const DEPTH = 20;

/** Where the notes lie among the tree's 2^20 leaves, and what they hold, in millionths of a coin. */
const NOTES = [
  { label: 'Salary', amount: 1_850_000_000n, leafIndex: 74_291 },
  { label: 'Rent share', amount: 420_500_000n, leafIndex: 309_116 },
  { label: 'Harbour café', amount: 7_800_000n, leafIndex: 1_000_003 },
];

/** An address of 20 bytes as a field element; the page lets one change it. */
const RECIPIENT = BigInt('0x5eed0fa991e000000000000000000000000cafe5');

/**
 * Makes the example's notes and the tree that holds them, with the circuit's own templates as the calculator.
 *
 * @param {string} folder for what is compiled on the way
 */
export async function makeNotes(folder) {
  const [commitmentWasm, hashWasm] = [await helper('commitment', folder), await helper('hash', folder)];
  const hash = (/** @type {string} */ left, /** @type {string} */ right) =>
    firstOutput(hashWasm, { inputs: [left, right] });

  const notes = [];
  for (const { label, amount, leafIndex } of NOTES) {
    const secrets = {
      amount: String(amount),
      secretKey: fieldElement(`${label}: secret key`),
      blinding: fieldElement(`${label}: blinding`),
    };
    notes.push({ label, leafIndex, secrets, commitment: await firstOutput(commitmentWasm, secrets) });
  }

  const levels = await treeLevels(new Map(notes.map(({ leafIndex, commitment }) => [leafIndex, commitment])), hash);
  const root = levels[DEPTH].at(0);
  return notes.map(({ label, leafIndex, secrets, commitment }) => ({
    label,
    commitment,
    inputs: {
      root,
      recipient: String(RECIPIENT),
      ...secrets,
      leafIndex: String(leafIndex),
      siblings: Array.from({ length: DEPTH }, (_, height) => levels[height].at((leafIndex >> height) ^ 1)),
    },
  }));
}

/**
 * The levels of a tree with the given leaves and zeros elsewhere, from the leaves up. Nodes over zeros alone are
 * computed once a level.
 *
 * @param {Map<number, string>} leaves
 * @param {(left: string, right: string) => Promise<string>} hash
 */
async function treeLevels(leaves, hash) {
  const level = (/** @type {Map<number, string>} */ nodes, /** @type {string} */ empty) => ({
    nodes,
    empty,
    at: (/** @type {number} */ index) => nodes.get(index) ?? empty,
  });
  const levels = [level(leaves, '0')];
  for (let height = 0; height < DEPTH; height++) {
    const below = levels[height];
    const parents = new Map();
    for (const child of below.nodes.keys()) {
      const parent = child >> 1;
      if (!parents.has(parent)) parents.set(parent, await hash(below.at(2 * parent), below.at(2 * parent + 1)));
    }
    levels.push(level(parents, await hash(below.empty, below.empty)));
  }
  return levels;
}

/** The witness WASM of a helper circuit. @param {string} name @param {string} folder */
async function helper(name, folder) {
  const source = fileURLToPath(new URL(`../circuit/helpers/${name}.circom`, import.meta.url));
  return (await compileCircuit(source, folder)).wasm;
}

/**
 * The first output of a circuit.
 *
 * @param {string} wasm
 * @param {Record<string, string | string[]>} inputs
 * @returns {Promise<string>} decimal
 */
async function firstOutput(wasm, inputs) {
  const witness = { type: 'mem' };
  await snarkjs.wtns.calculate(inputs, wasm, witness);
  // Value 0 is the constant one, the outputs follow.
  const values = await snarkjs.wtns.exportJson(witness);
  return String(values[1]);
}

/** A secret for the example: the same at every run, and below the field's order since it has 31 bytes. @param {string} name */
function fieldElement(name) {
  const digest = createHash('sha256').update(`pippin example note, ${name}`).digest('hex');
  return String(BigInt(`0x${digest.slice(0, 62)}`));
}
