import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { answers, SetupError } from './run.mjs';

const NAMES = ['firefox-esr', 'firefox'];

/** The Firefox to drive: the one that PIPPIN_FIREFOX names, or one on the path; on Debian it is installed for root where there is none. */
export async function requireFirefox() {
  const named = process.env.PIPPIN_FIREFOX;
  const find = () => (named ? [named] : NAMES).find((name) => answers(name));
  const found = find();
  if (found !== undefined) return found;
  if (named === undefined && canInstall()) {
    await installDebianPackages(['firefox-esr']);
    const installed = find();
    if (installed !== undefined) return installed;
  }
  throw new SetupError(
    `No Firefox found. Install it (Debian: \`${installCommand(['firefox-esr'])}\`), or name one: PIPPIN_FIREFOX=/path/to/firefox`,
  );
}
