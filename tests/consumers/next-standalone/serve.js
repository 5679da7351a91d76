import { cpSync, renameSync } from 'node:fs';

// What Next.js has put together is all that a server gets.
renameSync('.next/standalone', 'server');
renameSync('node_modules', 'of-the-build');
cpSync('key', 'server/key', { recursive: true });
process.chdir('server');
process.env.PORT = process.argv[2];
await import('./server/server.js');
