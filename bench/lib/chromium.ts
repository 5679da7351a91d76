import type { Browser } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';

/**
 * A headless Chromium. The environment variable CHROMIUM names the browser, and CHROMIUM_GPU_FLAGS the flags, separated
 * by spaces, with which it uses the GPU; otherwise they are those of the tests. The package playwright-core must be
 * installed.
 *
 * @param flags besides these.
 */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM ?? findChromium();
  if (executablePath === undefined) throw new Error('expected an installed Chromium, found none');
  const usual = process.env.CHROMIUM_GPU_FLAGS?.split(' ') ?? chromiumFlags();
  return chromium.launch({ executablePath, args: [...usual, ...flags] });
}
