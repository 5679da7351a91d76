import { needRedis } from './lib/redis.mjs';
import { runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/** `npm run setup`: packages, Chromium, Vulkan, Redis. The other commands do the same first. */
await runMain(async () => {
  const { chromium, software, env } = await setUp();
  await needRedis();
  console.log(`Packages: installed`);
  console.log(`Chromium: ${chromium}`);
  console.log(
    `GPU:      ${software ? `none; software adapter (${env.VK_DRIVER_FILES ?? process.env.VK_DRIVER_FILES})` : 'present'}`,
  );
});
