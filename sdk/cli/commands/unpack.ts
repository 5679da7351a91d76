import { throwIfAborted } from '../../base/abort.js';
import { newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { slicesOf } from '../../files/byte-source.js';
import { toHex } from '../../files/cache/sha256.js';
import { openNodeFile } from '../../files/node-file.js';
import { openPackedKey } from '../../files/packed/packed-key.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { withPackingKernels } from '../../hosts/node/packing-kernels.js';
import { defineCommand } from '../command.js';
import { expectOutputs } from '../expect-outputs.js';
import { outputFile } from '../option.js';
import { writeOutput } from '../output-file.js';
import { bytesText } from '../text.js';

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
    const source = await openNodeFile(packed);
    try {
      const { bytes, sha256 } = await withPackingKernels(async (kernels) => {
        const { header, zkey } = await openPackedKey(source, kernels);
        const hash = await nodeEnginePlatform.makeSha256();
        const bytes = newBytes(zkey.size);
        let at = 0;
        for await (const slice of slicesOf(zkey)) {
          throwIfAborted(context.signal);
          hash.update(slice);
          bytes.set(slice, at);
          at += slice.length;
        }
        const [expected, got] = [toHex(header.sha256), toHex(hash.digest())];
        if (got !== expected) {
          throw new PippinError('MALFORMED_FILE', `expected a .zkey with the SHA-256 ${expected}, got one with ${got}`);
        }
        return { bytes, sha256: got };
      });
      await writeOutput(out, bytes, context);
      const facts = { file: out, bytes: bytes.length, sha256 };
      await context.result(facts, `${out}: ${bytesText(bytes.length)}, SHA-256 ${sha256}`);
      return 0;
    } finally {
      await source.close();
    }
  },
});
