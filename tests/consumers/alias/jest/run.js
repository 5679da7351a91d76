import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

execFileSync('node_modules/.bin/jest', ['--testMatch', '**/*.test.cjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log(readFileSync('result.json', 'utf8'));
