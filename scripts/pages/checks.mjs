import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * What must hold of a page in whatever state: no accessibility error that axe-core finds, and a layout that fits phones
 * and large text.
 */

/** A narrow phone, and the least size of what a finger is to hit (WCAG 2.5.5), in CSS pixels. */
const NARROW = 360;
const TARGET = 44;

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How a visitor may have set up browser and device. */
export const LOOKS = [
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light', forcedColors: 'none' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark', forcedColors: 'none' },
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light', forcedColors: 'none' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark', forcedColors: 'none' },
  { name: 'desktop-forced', width: 1280, height: 900, colorScheme: 'dark', forcedColors: 'active' },
  { name: 'phone-forced', width: 390, height: 844, colorScheme: 'light', forcedColors: 'active' },
];

/**
 * Shows the page as in one of `LOOKS`.
 *
 * @param {import('playwright-core').Page} page
 * @param {typeof LOOKS[number]} look
 */
export async function wear(page, { width, height, colorScheme, forcedColors }) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: /** @type {'light' | 'dark'} */ (colorScheme),
    forcedColors: /** @type {'none' | 'active'} */ (forcedColors),
    // Colours that are on their way to others have no contrast of their own.
    reducedMotion: 'reduce',
  });
  await page.evaluate(() => {
    scrollTo(0, 0);
    return new Promise((resolve) => setTimeout(resolve, 200));
  });
}

/**
 * The accessibility errors that axe-core finds, by all of its rules but those that are experimental.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function axeErrors(page) {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = /** @type {any} */ (globalThis);
    const rules = { 'target-size': { enabled: true }, 'color-contrast-enhanced': { enabled: false } };
    const results = await axe.run(document, { rules, resultTypes: ['violations'] });
    return results.violations.map((/** @type {any} */ { id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map((/** @type {any} */ node) => `${node.target.join(' ')}: ${node.any[0]?.message ?? node.html}`),
    }));
  });
  return violations.map(
    (/** @type {any} */ { id, help, nodes }) => `axe ${id} (${help}): ${nodes.slice(0, 4).join('; ')}`,
  );
}

/**
 * What does not fit: sideways scrolling on a narrow phone, there with text of twice the size as well, and targets that
 * are too small for a finger.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ targets?: boolean }} [options] false: controls are those of a theme, whose size axe-core checks (24 px,
 * WCAG 2.5.8)
 * @returns {Promise<string[]>}
 */
export async function layoutErrors(page, { targets = true } = {}) {
  const errors = [];
  await page.setViewportSize({ width: NARROW, height: 740 });
  for (const percent of [100, 200]) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}%`;
    }, percent);
    const wide = await page.evaluate(widest);
    if (wide !== undefined) errors.push(`scrolls sideways at ${NARROW} px with text of ${percent} %: ${wide}`);
    if (percent === 100 && targets) errors.push(...(await page.evaluate(smallTargets, TARGET)));
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  return errors;
}

/** In the page: what reaches farthest over its right edge, if the page scrolls sideways. */
function widest() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return undefined;
  const clipped = (/** @type {Element} */ element) => {
    for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible') return true;
    }
    return false;
  };
  // Text that is wider than its element reaches over it without widening it.
  const reach = (/** @type {Element} */ element) =>
    element.getBoundingClientRect().left + Math.max(element.getBoundingClientRect().width, element.scrollWidth);
  const found = [...document.body.querySelectorAll('*')]
    .filter((element) => !clipped(element) && reach(element) > clientWidth)
    .slice(-3)
    .map(
      (element) =>
        `${element.tagName.toLowerCase()}#${element.id}.${element.className} to ${Math.round(reach(element))}`,
    );
  return `${scrollWidth} of ${clientWidth} px, by ${found.join(', ')}`;
}

/**
 * In the page: visible controls below so many pixels in either direction. A control in a label is as large as its
 * label. @param {number} least
 */
function smallTargets(least) {
  return [...document.querySelectorAll('button, input, select, summary, a[href]')]
    .map((control) => control.closest('label') ?? control)
    .filter((control) => control.checkVisibility())
    .flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      // A link within a sentence may be as high as its line (WCAG 2.5.5, "inline").
      if (control.matches('p a, li a, dd a') || (width + 0.5 >= least && height + 0.5 >= least)) return [];
      const name = `${control.tagName.toLowerCase()} “${control.textContent?.trim().slice(0, 30)}”`;
      return [`${name} has ${Math.round(width)} x ${Math.round(height)} px, expected ${least} x ${least}`];
    });
}
