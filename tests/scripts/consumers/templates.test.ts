import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../scripts/consumers/application.mjs';
import { CONSUMERS } from '../../../scripts/consumers/list.mjs';
import { root } from '../../support/root.js';

const consumers = CONSUMERS.filter(({ template }) => template !== undefined);
const read = (...path: string[]): string => readFileSync(join(TEMPLATES, ...path), 'utf8');

it('each template is tried', () => {
  expect(consumers.map(({ template }) => template).sort()).toEqual(readdirSync(TEMPLATES).sort());
});

describe.each(consumers)('$name', ({ template, packages }) => {
  const manifest = JSON.parse(read(template!, 'package.json'));

  it('asks for the packages that are tried, and for this version of Pippin', () => {
    const { 'pippin-prover': pippin, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
    const tried = Object.entries(packages).map(([name, version]) => [name, `^${version}`]);
    expect(others).toEqual(Object.fromEntries(tried));
    expect(pippin).toBe(`^${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}`);
  });

  it('has a README of ten lines that begins with its copy', () => {
    const text = read(template!, 'README.md');
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(12);
    expect(text).toContain(`cp -r examples/templates/${template} `);
  });
});

/** A template is copied out, so it has all that it needs; what several need is the same in each. */
it.each([
  ['page-vite/src/pippin-progress.js', 'extension/src/pippin-progress.js'],
  ['page-vite/src/pippin-progress.css', 'extension/src/pippin-progress.css'],
  ['page-vite/src/style.css', 'extension/src/style.css'],
  ['react/src/style.css', 'nextjs/app/style.css'],
  ['react/src/prove.jsx', 'nextjs/app/prove.jsx'],
])('%s is the same as %s', (one, other) => {
  expect(read(other).replace(/^'use client';\n\n/, '')).toBe(read(one));
});

it('<pippin-progress> is drawn by 60 lines of CSS', () => {
  expect(read('page-vite', 'src', 'pippin-progress.css').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
