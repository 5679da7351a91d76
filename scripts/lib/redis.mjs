import { spawnSync } from 'node:child_process';
import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { SetupError } from './run.mjs';

/** BullMQ needs it. */
const OLDEST = 6;

/** Sees to it that there is a `redis-server`: installs it where that asks nobody, and says how to elsewhere. */
export async function needRedis() {
  if (redisVersion() === undefined && canInstall()) await installDebianPackages(['redis-server']);
  const version = redisVersion();
  if (version !== undefined && version >= OLDEST) return;
  const how = process.platform === 'darwin' ? 'brew install redis' : `Debian: ${installCommand(['redis-server'])}`;
  throw new SetupError(
    `${version === undefined ? 'No redis-server found' : `The redis-server found is version ${version}`}, and only root on Debian can have one installed here.\n` +
      `Install Redis 7 (${how}), and run this again. It is started for the time of this run alone, and listens on no port.`,
  );
}

/** The major version of the redis-server in the PATH; undefined where there is none that starts. */
function redisVersion() {
  const { stdout, status } = spawnSync('redis-server', ['--version'], { encoding: 'utf8', timeout: 60_000 });
  const major = status === 0 ? /v=(\d+)/.exec(stdout)?.[1] : undefined;
  return major === undefined ? undefined : Number(major);
}
