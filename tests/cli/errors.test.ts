import { describe, expect, it } from 'vitest';
import { pippin, runPippin } from '../support/cli.js';
import { example } from '../support/example.js';

/** Runs what fails with --json, and gives the object on stdout. */
async function jsonError(...args: string[]) {
  const { code, stdout, errors } = await pippin(...args, '--json');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(errors).toHaveLength(1);
  const { error, ...others } = JSON.parse(stdout);
  expect(others).toEqual({});
  expect(errors[0]).toContain(`pippin: ${error.code}: ${error.message}`);
  return { exit: code, ...error };
}

describe('errors with --json', () => {
  it.each([
    [['fly'], { exit: 2, code: 'INVALID_ARGUMENT', hint: 'pippin --help tells more' }],
    [['provee'], { exit: 2, code: 'INVALID_ARGUMENT', hint: 'did you mean pippin prove?' }],
    [['prove', '--zkeys', 'a'], { exit: 2, code: 'INVALID_ARGUMENT', hint: 'did you mean --zkey?' }],
    [['tune', '--curve', 'bn245'], { exit: 2, code: 'INVALID_ARGUMENT', hint: 'did you mean bn254?' }],
    [['cache', 'sl'], { exit: 2, code: 'INVALID_ARGUMENT', hint: 'did you mean pippin cache ls?' }],
    [
      ['prove', '--zkey', '-', '--witness', 'a'],
      { exit: 2, code: 'INVALID_ARGUMENT', hint: 'write it to a file first' },
    ],
    [['g16v', 'a'], { exit: 2, code: 'INVALID_ARGUMENT', hint: expect.stringMatching(/^pippin verify --vkey a /) }],
    [['witness', 'verify', 'a', 'b'], { exit: 2, hint: expect.stringContaining('use snarkjs for it') }],
    [['--quiet', 'g16v', 'a'], { exit: 2, hint: expect.stringMatching(/^pippin verify --vkey a /) }],
    [
      ['prove', '--zkey', 'a', '--witness', 'b', '--proof', '-'],
      { exit: 2, code: 'INVALID_ARGUMENT', hint: expect.stringContaining('both are printed') },
    ],
    [['verify', '--vkey', '-', '--proof', '-', '--public', 'a'], { exit: 2, code: 'INVALID_ARGUMENT' }],
    [['vkey', '--zkey', example.wasmPath], { exit: 2, code: 'MALFORMED_FILE', hint: expect.any(String) }],
    [
      ['prove', '--zkey', 'a', '--witness', 'b', '--proof', 'same.json', '--public', './same.json'],
      { exit: 2, code: 'INVALID_ARGUMENT', hint: '--public would overwrite what --proof names' },
    ],
    [['info', 'none.zkey'], { exit: 2, code: 'IO_FAILED', hint: expect.stringContaining('no such file') }],
  ])('%j', async (args, expected) => {
    expect(await jsonError(...args)).toMatchObject({ ...expected, message: expect.stringMatching(/^expected .*got/) });
  });

  it('come before the options are read', async () => {
    expect(await jsonError('prove', '--zkey')).toMatchObject({ exit: 2, code: 'INVALID_ARGUMENT' });
  });
});

describe('an interruption', () => {
  it('ends a command that waits for standard input', async () => {
    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const { code, stdout, errors } = await runPippin(
        ['prove', '--zkey', example.zkeyPath, '--witness', '-', '--json'],
        {
          // More than a pipe holds: all is written only when the command has begun to read.
          stdin: new Uint8Array(300_000),
          keepStdin: true,
          onStart: (child) => child.stdin!.once('drain', () => child.kill(signal)),
        },
      );
      expect({ code, errors }).toEqual({ code: expected, errors: ['pippin: ABORTED: interrupted'] });
      expect(JSON.parse(stdout)).toEqual({ error: { code: 'ABORTED', message: 'interrupted' } });
    }
  });
});
