import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ALIAS_CONSUMERS } from './consumers/alias-list.mjs';
import { Application } from './consumers/application.mjs';
import { CONSUMERS } from './consumers/list.mjs';
import { pack } from './consumers/pack.mjs';
import { ALIASES, describeRows, STARTS, TOOLS, writeTable } from './consumers/table.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { formatTable } from './lib/table.mjs';

/**
 * `npm run test:consumers`: packs the package, installs it in an application for each tool, builds and serves that
 * under the strict content security policy, and proves there, the second time with the key from the cache.
 *
 *     --alias            applications whose library calls snarkjs, with Pippin in its place (scripts/consumers/alias-list.mjs)
 *     --start            the ways to begin from an empty folder: the templates, a program in Node and others that are marked so
 *     --only NAME,...    some of the consumers (scripts/consumers/list.mjs)
 *     --tarball FILE     a package that is packed already
 *     --keep             leave the applications' folders
 *     --write            write the table into docs/consumers.md, or with --alias into docs/moving-from-snarkjs.md
 */
async function main() {
  const { values } = parseArgs({
    options: {
      alias: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
      only: { type: 'string' },
      tarball: { type: 'string' },
      keep: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const starts = [...CONSUMERS, ...ALIAS_CONSUMERS].filter(({ start }) => start === true);
  const [table, all] = values.start ? [STARTS, starts] : values.alias ? [ALIASES, ALIAS_CONSUMERS] : [TOOLS, CONSUMERS];
  const consumers = choose(all, values.only?.split(','));
  if (values.write && values.only !== undefined)
    throw new SetupError('the table is written of all consumers: no --only');
  if (values.write && table.page === undefined) throw new SetupError('the table of --start is shown, not written');
  await setUp({ vulkan: false });
  const tarball = values.tarball === undefined ? await packed() : resolve(values.tarball);
  const rows = [];
  for (const consumer of consumers) {
    console.log(`${consumer.name} ...`);
    rows.push(await tryConsumer(consumer, tarball, values.keep));
  }
  console.log(`\n${formatTable(describeRows(table, rows))}`);
  if (values.write) writeTable(table, rows);
  const failed = rows.filter(({ trial }) => trial === undefined);
  console.log(`\n${rows.length - failed.length} of ${rows.length} consumers prove`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * @param {readonly import('./consumers/list.mjs').Consumer[]} consumers
 * @param {readonly string[] | undefined} names
 */
function choose(consumers, names) {
  if (names === undefined) return consumers;
  return names.map((name) => {
    const found = consumers.find((consumer) => consumer.name === name);
    if (found !== undefined) return found;
    throw new SetupError(`no consumer ${name}; there are ${consumers.map((consumer) => consumer.name).join(', ')}`);
  });
}

async function packed() {
  await build();
  const folder = join(root, 'build', 'consumers');
  mkdirSync(folder, { recursive: true });
  return pack(folder);
}

/**
 * @param {import('./consumers/list.mjs').Consumer} consumer
 * @param {string} tarball
 * @param {boolean} keep
 */
async function tryConsumer(consumer, tarball, keep) {
  // Only here, because it takes packages that may have been missing.
  const { prove } = await import('./consumers/prove.mjs');
  const application = new Application(consumer);
  const row = {
    consumer,
    lines: application.configuredLines(),
    aliasLine: application.aliasLine(),
    packedBytes: statSync(tarball).size,
  };
  try {
    await application.install(tarball);
    return { ...row, trial: await prove(application) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(
      `repeat it: npm run test:consumers -- --keep ${consumer.local ? '--alias ' : ''}--only ${consumer.name}`,
    );
    return { ...row, trial: undefined };
  } finally {
    if (keep) console.log(application.folder);
    else application.remove();
  }
}

await runMain(main);
