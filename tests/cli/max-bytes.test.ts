import { expect, it } from 'vitest';
import { circuitFile, MAKING_TIMEOUT } from '../support/circuits.js';
import { pippin } from '../support/cli.js';

const file = 'data:application/octet-stream;base64,AAAAAAAAAAAAAAAA';

it(
  '--max-bytes bounds what every command downloads, and its error says so in the words of the command line',
  async () => {
    const zkey = await circuitFile('smallest.zkey');
    const commands = [
      ['info', file],
      ['vkey', '--zkey', file],
      ['prove', '--backend', 'wasm', '--zkey', file, '--witness', zkey],
      ['prove', '--backend', 'wasm', '--zkey', zkey, '--witness', file],
    ];
    for (const args of commands) {
      const { code, stdout, errors } = await pippin(...args, '--max-bytes', '3', '--quiet');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(errors.join('\n')).toContain('DOWNLOAD_TOO_LARGE: expected a download of at most 3 bytes, got more');
      expect(errors.join('\n')).toContain('raise --max-bytes');
    }
    const { code, errors } = await pippin('info', file, '--max-bytes', '0');
    expect(code).toBe(2);
    expect(errors.join('\n')).toContain('INVALID_ARGUMENT');
  },
  MAKING_TIMEOUT,
);
