import { SetupError } from '../lib/run.mjs';

const UNRELEASED = '## Unreleased';

/**
 * The changelog with what stood under "Unreleased" under a heading of that version and date, below an empty "Unreleased".
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as 2026-11-22
 */
export function releaseChangelog(changelog, version, date) {
  const lines = changelog.split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start < 0) throw new SetupError(`expected a heading "${UNRELEASED}" in CHANGELOG.md`);
  const next = lines.findIndex((line, i) => i > start && line.startsWith('## '));
  const entries = lines.slice(start + 1, next < 0 ? undefined : next);
  if (!entries.some((line) => line.startsWith('- '))) {
    throw new SetupError(`expected entries under "${UNRELEASED}" in CHANGELOG.md: say what this version changes`);
  }
  lines.splice(start + 1, 0, '', `## ${version} - ${date}`);
  return lines.join('\n');
}
