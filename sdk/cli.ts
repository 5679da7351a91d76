#!/usr/bin/env node
import { main } from './cli/main.js';

const code = await main(process.argv.slice(2));
// Output that could not be written has set it already.
process.exitCode ??= code;
