import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hasGpu } from './gpu.mjs';
import { SetupError } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const MAC_APPLICATIONS = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** The Chromium to drive: the one that PIPPIN_CHROMIUM names, or one that is installed. */
export function findChromium() {
  const named = process.env.PIPPIN_CHROMIUM;
  if (named) {
    if (!isFile(named)) throw new SetupError(`expected a Chromium at PIPPIN_CHROMIUM, got no file at ${named}`);
    return named;
  }
  return candidates().find(isFile);
}

/** The flags of every Chromium here: no sandbox for root, who cannot have one, and no traffic of its own. */
export function plainFlags() {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--no-first-run'];
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;
}

/** The flags of a headless Chromium with WebGPU. */
export function chromiumFlags() {
  return [...plainFlags(), ...webgpuFlags()];
}

/**
 * The flags that give headless Chromium WebGPU: on the GPU, or on the software adapter where there is none.
 * PIPPIN_CHROMIUM_FLAGS replaces them.
 *
 * @returns {string[]}
 */
export function webgpuFlags() {
  const given = process.env.PIPPIN_CHROMIUM_FLAGS?.split(' ').filter((flag) => flag !== '');
  if (given !== undefined) return given;
  if (!hasGpu()) {
    return [
      '--enable-unsafe-webgpu',
      '--use-webgpu-adapter=swiftshader',
      '--enable-features=Vulkan',
      '--use-vulkan=swiftshader',
    ];
  }
  if (process.platform !== 'linux') return ['--enable-unsafe-webgpu'];
  return [
    '--enable-unsafe-webgpu',
    '--enable-features=Vulkan,VulkanFromANGLE,DefaultANGLEVulkan',
    '--use-angle=vulkan',
    '--use-vulkan=native',
    '--ignore-gpu-blocklist',
  ];
}

/** Folders in which the parts of a Chromium lie, such as its software Vulkan driver. @param {string} chromium */
export function chromiumFolders(chromium) {
  return [
    dirname(realpathSync(chromium)),
    '/usr/lib/chromium',
    '/usr/lib/chromium-browser',
    '/opt/google/chrome',
    '/opt/microsoft/msedge',
  ];
}

function candidates() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const mac = ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
    MAC_APPLICATIONS.map((application) => join(folder, application)),
  );
  const windows = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'));
  return [...onPath, ...(process.platform === 'darwin' ? mac : []), ...windows, ...playwrightBrowsers()];
}

/** Chromiums that Playwright has downloaded for other projects, newest first. */
function playwrightBrowsers() {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    (process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches', 'ms-playwright')
      : join(homedir(), '.cache', 'ms-playwright'));
  let revisions;
  try {
    revisions = readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name));
  } catch {
    return [];
  }
  return revisions
    .sort((a, b) => Number(b.slice('chromium-'.length)) - Number(a.slice('chromium-'.length)))
    .flatMap((name) => [
      join(cache, name, 'chrome-linux64', 'chrome'),
      join(cache, name, 'chrome-linux', 'chrome'),
      join(cache, name, 'chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'),
    ]);
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
