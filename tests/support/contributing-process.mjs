// A process that contributes to ceremonies, whose memory a test reads: node contributing-process.mjs ENTRY FOLDER. It
// takes calls as messages, and answers with the code of the error, or with the backend. Its random bytes are known to
// the test.
import { join } from 'node:path';
import process from 'node:process';
import { knownByte } from './known-random.mjs';

const [entry, folder] = process.argv.slice(2);
const ceremony = await import(entry);

/** Bytes of the random seed of a contribution. Other random bytes stay as they are. */
const SEED_BYTES = 64;
const random = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (array) => {
  if (array.length !== SEED_BYTES) return random(array);
  for (let i = 0; i < array.length; i++) array[i] = knownByte(i);
  return array;
};

/** The options of a call that is aborted when this fraction of it is done, or whose file takes so many writes. */
function optionsOf({ options, abortedAt, writes }) {
  const controller = new AbortController();
  let written = 0;
  const stream = () =>
    new WritableStream({
      write() {
        if (++written > writes) throw new Error('the disk is full');
      },
    });
  return {
    threads: 2,
    ...options,
    ...(abortedAt !== undefined && {
      signal: controller.signal,
      onProgress: (done) => done > abortedAt && controller.abort(),
    }),
    ...(writes !== undefined && { to: stream() }),
  };
}

process.on('message', async ({ call, input, ...given }) => {
  try {
    const made = await ceremony[call](join(folder, input), optionsOf(given));
    process.send({ backend: made.backend });
  } catch (error) {
    process.send({ code: error.code ?? String(error) });
  }
});
process.send({});
