import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../lib/run.mjs';

/** The files of a package that its licence asks to pass on. */
const PASSED_ON = /^(licen[cs]e|notice)([.-].*)?$/i;
const LICENCE = /^licen[cs]e/i;

/**
 * What is written to THIRD-PARTY-LICENSES.txt: the names of the packages, each with its licence's text and notices.
 *
 * @param {readonly import('./shipped-packages.mjs').ShippedPackage[]} packages
 * @param {string} modules the folder node_modules
 */
export function licenceTexts(packages, modules) {
  const parts = packages.map(({ name, version, license }) => {
    const folder = join(modules, name);
    const files = readdirSync(folder)
      .filter((file) => PASSED_ON.test(file))
      .sort();
    if (!files.some((file) => LICENCE.test(file))) {
      throw new SetupError(`expected the text of its licence in the package ${name}, got none`);
    }
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  const list = packages.map(({ name, version, license }) => `- ${name} ${version}: ${license}`).join('\n');
  const head = `The package holds, or is installed with, code of these packages:\n\n${list}`;
  return `${[head, ...parts].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}
