import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Whether Chromium has a font to draw text with; containers often have none. Other systems than Linux always have. */
export function hasFonts() {
  if (process.platform !== 'linux') return true;
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(homedir(), '.fonts'),
    join(homedir(), '.local', 'share', 'fonts'),
  ];
  return folders.some((folder) => existsSync(folder) && holdsFont(folder));
}

/** @param {string} folder */
function holdsFont(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => /\.(ttf|ttc|otf|pfb)$/i.test(name));
}
