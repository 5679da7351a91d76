import type { CurveParameters } from '../../sdk/curves/index.js';
import { modulesOf } from './wasm/modules.js';

/** What differs between the WASM that package.json exports and the curves' WASM: one sentence each. */
export function packageExportFaults(packageJson: string, curves: readonly CurveParameters[]): string[] {
  const exported: Record<string, unknown> = JSON.parse(packageJson).exports;
  const expected = curves.flatMap(modulesOf).map(({ name }) => `./${name}.wasm`);
  const missing = expected.filter((path) => exported[path] !== path.replace('./', './dist/'));
  const left = Object.keys(exported).filter((path) => path.endsWith('.wasm') && !expected.includes(path));
  return [
    ...missing.map((path) => `package.json: expected the export "${path}": "${path.replace('./', './dist/')}"`),
    ...left.map((path) => `package.json: expected no export "${path}", for which there is no curve`),
  ];
}
