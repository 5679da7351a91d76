import { App } from './app.js';
import { openKeptFiles } from './kept/kept-files.js';

const app = new App(await openKeptFiles());
await app.open();
