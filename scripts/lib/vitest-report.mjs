import { readFileSync } from 'node:fs';

/**
 * Counts what a Vitest run's JSON report tells. A file that could not be loaded counts as one failure, and so does a run
 * that failed without naming a test (an unhandled error, a crash, a report that is missing).
 *
 * @param {string} file
 * @param {number} exitCode the run's
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countVitestReport(file, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of readSuites(file)) {
    const before = counts.failed;
    for (const { status } of suite.assertionResults) {
      if (status === 'passed') counts.passed++;
      else if (status === 'failed') counts.failed++;
      else counts.skipped++;
    }
    if (suite.status === 'failed' && counts.failed === before) counts.failed++;
  }
  const nothingRan = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (exitCode !== 0 || nothingRan)) counts.failed++;
  return counts;
}

/**
 * @param {string} file
 * @returns {{ status: string, assertionResults: { status: string }[] }[]}
 */
function readSuites(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}
