import { mkdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { pack } from './consumers/pack.mjs';
import { writeDocsTable } from './lib/docs-table.mjs';
import { installPackages } from './lib/packages.mjs';
import { runMain } from './lib/run.mjs';
import { formatTable } from './lib/table.mjs';
import { compareProofs } from './snarkjs-alias/compare-proofs.mjs';
import { clearCache, scratch } from './snarkjs-alias/places.mjs';
import { compareOwnTests } from './snarkjs-alias/run-own-tests.mjs';

/**
 * `npm run test:snarkjs-alias`: libraries that call snarkjs inside, from npm, once with snarkjs and once with
 * `pippin-prover/snarkjs` in its place, as an application installs them. The own tests of those whose package has tests
 * must pass; the others make and verify proofs. Both are timed in alternation.
 *
 *     --rounds N    runs with either (3)
 *     --own-tests   the libraries' own tests alone
 *     --write       write the tables into docs/moving-from-snarkjs.md
 */
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      'own-tests': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  await installPackages();
  await build();
  mkdirSync(scratch, { recursive: true });
  clearCache();
  const tarball = pack(scratch);
  const show = (/** @type {string} */ title, /** @type {string} */ flags, /** @type {readonly string[][]} */ rows) => {
    console.log(`\n${title}\n\n${formatTable(rows)}\n`);
    if (values.write) writeDocsTable('moving-from-snarkjs.md', `npm run test:snarkjs-alias -- ${flags}`, rows, 2);
  };
  console.log(
    `Medians of ${rounds} runs in alternation (Node ${process.version}, ${availableParallelism()} x ${cpus()[0].model})`,
  );
  show('The own tests of libraries', '--own-tests --write', await compareOwnTests(tarball, rounds));
  if (!values['own-tests']) show('Proofs, in milliseconds', '--write', await compareProofs(tarball, rounds));
});
