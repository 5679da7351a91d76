import { answers, mustRun } from './run.mjs';

/** Whether missing system packages can be installed without asking anybody. */
export function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && answers('apt-get');
}

/** @param {readonly string[]} packages */
export async function installDebianPackages(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`Installing ${packages.join(', ')} (apt-get); this takes a minute or two ...`);
  await mustRun('apt-get', ['update', '-qq'], { env });
  await mustRun('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

/** The command by which a user can install the packages. @param {readonly string[]} packages */
export function installCommand(packages) {
  return `sudo apt-get install --no-install-recommends ${packages.join(' ')}`;
}
