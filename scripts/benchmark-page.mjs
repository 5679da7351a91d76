import { build } from './build.mjs';
import { buildBenchmarkPage, serveBenchmarkPage } from './lib/benchmark-page.mjs';
import { runMain, SetupError } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/**
 * `npm run example:benchmark`: builds the benchmark page and serves it for one's own browser, at PORT or a free port. With
 * `-- --isolated` the page is cross-origin isolated, so that Chromium tells its memory.
 */
await runMain(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--isolated') || rest.length > 0) {
    throw new SetupError('usage: npm run example:benchmark [-- --isolated]');
  }
  await setUp({ vulkan: false });
  console.log('Building the package and the benchmark page ...');
  await build();
  await buildBenchmarkPage();
  const server = await serveBenchmarkPage({ port: Number(process.env.PORT ?? 0), isolated: option !== undefined });
  console.log(`\nThe page is at ${server.url}\nCtrl-C ends it.`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await server.close();
});
