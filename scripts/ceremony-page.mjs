import { build } from './build.mjs';
import { buildCeremonyPage, ceremonyDist } from './lib/ceremony-page.mjs';
import { runMain, SetupError } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { serveFolder } from './lib/static-server.mjs';

/**
 * `npm run example:ceremony`: builds the page that contributes to a ceremony and serves it for one's own browser, at PORT
 * or a free port.
 */
await runMain(async () => {
  if (process.argv.length > 2) throw new SetupError('usage: npm run example:ceremony');
  await setUp({ vulkan: false });
  console.log('Building the package and the ceremony page ...');
  await build();
  await buildCeremonyPage();
  const server = await serveFolder(ceremonyDist, { port: Number(process.env.PORT ?? 0) });
  console.log(`\nThe page is at ${server.url}\nCtrl-C ends it.`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await server.close();
});
