#!/usr/bin/env node
import { main } from './cli/main.js';

const code = await main(process.argv.slice(2));
// When output could not be written, the exit code has been set already.
process.exitCode ??= code;
