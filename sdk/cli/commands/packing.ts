import { throwIfAborted } from '../../base/abort.js';
import { joinBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { kernelCount } from '../../engine/platform.js';
import { KernelPool } from '../../executors/workers/pool/pool.js';
import { poolUnpacking } from '../../executors/workers/pool/unpacking-kernels.js';
import { slicesOf } from '../../files/byte-source.js';
import { toHex } from '../../files/cache/sha256.js';
import { openNodeFile } from '../../files/node-file.js';
import { packZkey } from '../../files/packed/pack.js';
import { openPackedKey, type UnpackingKernels } from '../../files/packed/packed-key.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
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

/** Runs `work` with workers that unpack keys; they end with it. */
async function withPackingKernels<T>(work: (kernels: UnpackingKernels) => Promise<T>): Promise<T> {
  const { spawnKernel, compileWasm, threads } = nodeEnginePlatform;
  const pool = new KernelPool(() => spawnKernel({}), kernelCount(undefined, threads));
  const kernels = poolUnpacking(pool, (curve) => pool.open(curve, (part) => compileWasm(curve, part, {})));
  try {
    return await work(kernels);
  } finally {
    await pool.dispose();
  }
}
