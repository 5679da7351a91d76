import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { built } from './in-process-engine.js';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Lines of Pippin's own; a driver may add some. */
  readonly errors: readonly string[];
}

/** Runs the built command line to its end. */
export function pippin(...args: string[]): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(built('cli.js')), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout, errors: stderr.split('\n').filter((line) => line.startsWith('pippin: ')) }),
    );
  });
}
