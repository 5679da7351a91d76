import { SetupError } from '../lib/run.mjs';
import { npm } from './npm.mjs';

/**
 * Asks the registry whether faults of the packages are known, those for development included, and fails if there are any.
 *
 * @returns {string} what it found. A registry that cannot be asked is no failure, and is told of.
 */
export function audit() {
  return auditResult(answer());
}

/** What npm prints, also where it fails: it does if it has found a fault. */
function answer() {
  try {
    return npm(['audit', '--json']);
  } catch (error) {
    const { stdout } = /** @type {{ stdout?: string }} */ (error);
    if (stdout === undefined) throw error;
    return stdout;
  }
}

/**
 * Reads what `npm audit --json` printed.
 *
 * @param {string} json
 */
export function auditResult(json) {
  const { vulnerabilities, message, error } = parsed(json);
  if (vulnerabilities === undefined) {
    const reason = message ?? error?.summary ?? 'npm gave no report';
    return `NOT AUDITED, because the registry did not answer: ${reason}. Run \`npm audit\` where it does.`;
  }
  const found = Object.values(vulnerabilities).map(({ name, severity }) => `${name} (${severity})`);
  if (found.length > 0)
    throw new SetupError(`expected no known faults in packages, got ${found.join(', ')}: see \`npm audit\``);
  return 'No faults of the packages are known to the registry.';
}

/**
 * @param {string} json
 * @returns {{ vulnerabilities?: Record<string, { name: string, severity: string }>, message?: string, error?: { summary?: string } }}
 */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
