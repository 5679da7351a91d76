import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundledThemes, type ThemeRegistration } from 'shiki';
import { describe, expect, it } from 'vitest';
import config from '../../docs/.vitepress/config.js';
import { root } from '../support/root.js';

/**
 * The contrast of text in both themes of the docs, told from their colours once, so for every page. In forced colours and
 * in a browser, `npm run test:pages` asks axe-core for it.
 */

/** The least contrast of text (WCAG 2.2, 1.4.3, level AA). */
const LEAST = 4.5;

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const vitepress = createRequire(import.meta.url).resolve('vitepress/package.json');
const styles = [
  join(vitepress, '../dist/client/theme-default/styles/vars.css'),
  join(root, 'docs/.vitepress/theme/style.css'),
].map((file) => readFileSync(file, 'utf8'));

/** The custom properties of a theme: dark ones replace those of all. */
function propertiesOf(theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const selectors = theme === 'light' ? [':root'] : [':root', '.dark'];
  const found = selectors.flatMap((selector) =>
    styles.flatMap((css) =>
      [...css.matchAll(/^([^\s{}/]+) \{(.*?)^\}/gms)]
        .filter(([, name]) => name === selector)
        .flatMap(([, , body = '']) => [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)]),
    ),
  );
  return new Map(found.map(([, name = '', value = '']) => [name, value]));
}

function parsed(value: string): Colour {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(value)?.[1];
  if (hex !== undefined) {
    const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
    const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
      Number.parseInt(pair, 16),
    );
    return [red, green, blue, alpha / 255];
  }
  const [red, green, blue, alpha = '1'] = value.match(/[\d.]+%?/g) ?? [];
  if (!/^rgba?\(/.test(value) || red === undefined || green === undefined || blue === undefined) {
    throw new Error(`expected a colour, got ${value}`);
  }
  const opacity = alpha.endsWith('%') ? Number.parseFloat(alpha) / 100 : Number(alpha);
  return [Number(red), Number(green), Number(blue), opacity];
}

/** A colour over an opaque one. */
function over([red, green, blue, alpha]: Colour, under: Colour): Colour {
  const mix = (top: number, bottom: number): number => top * alpha + bottom * (1 - alpha);
  return [mix(red, under[0]), mix(green, under[1]), mix(blue, under[2]), 1];
}

/** The relative luminance of WCAG. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: Colour, ground: Colour): number {
  const [light = 0, dark = 0] = [luminance(over(text, ground)), luminance(ground)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

it('is as WCAG has it', () => {
  expect(contrast(parsed('#000'), parsed('#fff'))).toBeCloseTo(21, 5);
  expect(contrast(parsed('#777777'), parsed('#ffffff'))).toBeCloseTo(4.48, 2);
  expect(contrast(parsed('rgb(0 0 0 / 50%)'), parsed('#fff'))).toBeCloseTo(
    contrast(parsed('#808080'), parsed('#fff')),
    1,
  );
});

/** Text and what it stands on, the lowest first, as VitePress' components and our style use them. */
const PAIRS: readonly (readonly [text: string, ...grounds: string[]])[] = [
  ...['--vp-c-text-1', '--vp-c-text-2', '--vp-c-brand-1'].flatMap((text) =>
    ['--vp-c-bg', '--vp-c-bg-alt', '--vp-c-bg-elv', '--vp-c-bg-soft'].map((ground) => [text, ground] as const),
  ),
  ['--vp-code-color', '--vp-c-bg', '--vp-code-bg'],
  ['--vp-code-color', '--vp-c-bg-soft', '--vp-code-bg'],
  ['--vp-code-block-color', '--vp-code-block-bg'],
  ['--vp-code-lang-color', '--vp-code-block-bg'],
  ['--vp-button-brand-text', '--vp-button-brand-bg'],
  ['--vp-button-alt-text', '--vp-c-bg', '--vp-button-alt-bg'],
  ['--vp-home-hero-name-color', '--vp-c-bg'],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const properties = propertiesOf(theme);
  const colour = (name: string): Colour => {
    let value = name;
    while (value.startsWith('--') || value.startsWith('var(')) {
      const next = properties.get(value.replace(/^var\((.*)\)$/, '$1'));
      if (next === undefined) throw new Error(`expected a colour ${name} in the ${theme} theme, got none`);
      value = next;
    }
    return parsed(value);
  };
  const ground = (names: readonly string[]): Colour =>
    names.map(colour).reduce((below, top) => over(top, below), colour('--vp-c-bg'));

  it.each(PAIRS.map(([text, ...grounds]) => [text, grounds] as const))('%s can be read on %s', (text, grounds) => {
    expect(contrast(colour(text), ground(grounds))).toBeGreaterThanOrEqual(LEAST);
  });

  it('code can be read in each of its colours', async () => {
    const themes = config.markdown?.theme as { light: keyof typeof bundledThemes; dark: keyof typeof bundledThemes };
    const { default: registration } = (await bundledThemes[themes[theme]]()) as { default: ThemeRegistration };
    const colours = (registration.tokenColors ?? []).flatMap(({ scope, settings }) => {
      const scopes = [scope ?? []].flat().join(' ');
      // What is invalid, a difference or a heading in Markdown is in no sample; some of it has a ground of its own.
      const isShown = !/invalid|markup|message|diff|header|carriage-return/.test(scopes);
      return settings.foreground === undefined || !isShown ? [] : [settings.foreground];
    });
    expect(colours.length).toBeGreaterThan(5);
    const block = ground(['--vp-code-block-bg']);
    expect(colours.filter((one) => contrast(parsed(one), block) < LEAST)).toEqual([]);
  });
});
