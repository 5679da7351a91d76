import { spendFromFiles } from './from-files.js';

console.log(JSON.stringify(await spendFromFiles()));
