import { packKey, unpackKey } from '../../hosts/node/node-packing.js';
import { defineCommand } from '../command.js';
import { expectOutputs } from '../expect-outputs.js';
import { outputFile, word } from '../option.js';
import { writeOutput } from '../output-file.js';
import { bytesText } from '../text.js';

export const packCommand = defineCommand({
  name: 'pack',
  topic: 'files',
  summary: 'pack a proving key to about a third of its bytes',
  usage: 'FILE [--out FILE] [--points compressed|plain] [options]',
  operand: { value: 'FILE', help: 'the path of a .zkey', files: '.zkey' },
  options: {
    out: outputFile('.pzkey', 'write the packed key to this file (default: the name of the .zkey with .pzkey)'),
    points: word(['compressed', 'plain'], 'points as x and a sign (default), or as they are'),
  },
  notes: ['A packed key is taken wherever a .zkey is. What was packed is unpacked again and compared.'],
  examples: ['pippin pack circuit.zkey', 'pippin pack circuit.zkey --points plain --out circuit.pzkey'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work({ out: given, points }, context, zkey) {
    const out = given ?? `${zkey.replace(/\.zkey$/, '')}.pzkey`;
    await expectOutputs({ out }, { zkey });
    context.step('Packing the key');
    const options = { signal: context.signal, ...(points !== undefined && { points }) };
    const { pzkey, sha256, zkeyBytes } = await packKey(zkey, options);
    await writeOutput(out, new Uint8Array(await pzkey.arrayBuffer()), context);
    const share = ((100 * pzkey.size) / zkeyBytes).toFixed(1);
    const facts = { file: out, bytes: pzkey.size, zkeyBytes, sha256 };
    await context.result(facts, `${out}: ${bytesText(pzkey.size)}, ${share}% of ${zkey}, SHA-256 ${sha256}`);
    return 0;
  },
});

export const unpackCommand = defineCommand({
  name: 'unpack',
  topic: 'files',
  summary: 'give back the .zkey that a packed key was made of, byte by byte',
  usage: 'FILE [--out FILE] [options]',
  operand: { value: 'FILE', help: 'the path of a packed key', files: '.pzkey' },
  options: {
    out: outputFile('.zkey', 'write the .zkey to this file (default: the name of the packed key with .zkey)'),
  },
  notes: ['The SHA-256 of the .zkey is in the packed key; nothing is written unless it is the same.'],
  examples: ['pippin unpack circuit.pzkey --out circuit.zkey'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work({ out: given }, context, packed) {
    const out = given ?? `${packed.replace(/\.pzkey$/, '')}.zkey`;
    await expectOutputs({ out }, { packed });
    context.step('Unpacking the key');
    const { zkey, sha256 } = await unpackKey(packed, { signal: context.signal });
    await writeOutput(out, new Uint8Array(await zkey.arrayBuffer()), context);
    await context.result({ file: out, bytes: zkey.size, sha256 }, `${out}: ${bytesText(zkey.size)}, SHA-256 ${sha256}`);
    return 0;
  },
});
