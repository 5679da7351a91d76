import { build } from './build.mjs';
import { buildBenchmarkPage, serveBenchmarkPage } from './lib/benchmark-page.mjs';
import { runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/** `npm run example:benchmark`: builds the benchmark page and serves it for one's own browser, at PORT or a free port. */
await runMain(async () => {
  await setUp({ vulkan: false });
  console.log('Building the package and the benchmark page ...');
  await build();
  await buildBenchmarkPage();
  const server = await serveBenchmarkPage({ port: Number(process.env.PORT ?? 0) });
  console.log(`\nThe page is at ${server.url}\nCtrl-C ends it.`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await server.close();
});
