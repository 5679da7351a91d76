import { start } from './start.js';

postMessage(await start());
