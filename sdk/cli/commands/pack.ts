import { joinBytes } from '../../base/bytes.js';
import { openNodeFile } from '../../files/node-file.js';
import { packZkey } from '../../files/packed/pack.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { withPackingKernels } from '../../hosts/node/packing-kernels.js';
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
    const { makeSha256 } = nodeEnginePlatform;
    context.step('Packing the key');
    const source = await openNodeFile(zkey);
    try {
      const isCompressed = points !== 'plain';
      const parts = await withPackingKernels((kernels) =>
        packZkey(source, { isCompressed, kernels, makeSha256, signal: context.signal }),
      );
      const packed = joinBytes(parts);
      await writeOutput(out, packed, context);
      const share = ((100 * packed.length) / source.size).toFixed(1);
      const facts = { file: out, bytes: packed.length, zkeyBytes: source.size };
      await context.result(facts, `${out}: ${bytesText(packed.length)}, ${share}% of ${zkey}`);
      return 0;
    } finally {
      await source.close();
    }
  },
});
