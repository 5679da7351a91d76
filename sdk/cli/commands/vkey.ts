import { exportVerificationKey } from '../../hosts/node/node-files.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS, givenMaxBytes } from '../common-options.js';
import { expectOutputs } from '../expect-outputs.js';
import { STANDARD } from '../files.js';
import { outputFile } from '../option.js';
import { writeOutput } from '../output-file.js';
import { ZKEY } from '../proving-options.js';

export const vkeyCommand = defineCommand({
  name: 'vkey',
  topic: 'files',
  summary: 'export the verification key (JSON) of a proving key',
  usage: '--zkey FILE [--out FILE] [options]',
  options: {
    zkey: ZKEY,
    out: outputFile('.json', 'write the key to this file (default: standard output)'),
    ...DOWNLOAD_OPTIONS,
  },
  notes: ['The JSON is the same as from snarkjs zkey export verificationkey.'],
  examples: ['pippin vkey --zkey circuit.zkey --out vkey.json'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context) {
    const { zkey, out = STANDARD } = values;
    await expectOutputs({ out }, { zkey });
    context.step('Reading the key');
    const key = await exportVerificationKey(zkey, { signal: context.signal, ...givenMaxBytes(values) });
    const text = JSON.stringify(key, undefined, 1);
    if (out !== STANDARD) await writeOutput(out, `${text}\n`, context);
    await context.result(key, out === STANDARD ? text : `The verification key of ${zkey}: ${out}`);
    return 0;
  },
});
