import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKeyPair, newApiKey, readKeyPair, writeKeyPair } from 'pippin-farm';

/**
 * `node new-keys.mjs FOLDER [OWNER]`: makes the workers' keys in FOLDER/workers, unless they are there, and an API key for OWNER (default `demo`), an
 * operator. The key is printed, once; FOLDER/front has its hash. An owner who has a key gets another one beside it: take the old hash out when nobody uses
 * it any more.
 */

const [folder, name = 'demo'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node new-keys.mjs FOLDER [OWNER]');
const [workers, front] = [join(folder, 'workers'), join(folder, 'front')];
for (const each of [workers, front]) await mkdir(each, { recursive: true });

const pairFile = join(workers, 'keys.json');
const { publicKey } = await readKeyPair(pairFile).catch(async (error) => {
  if (error.cause?.code !== 'ENOENT') throw error;
  const pair = await makeKeyPair();
  await writeKeyPair(pairFile, pair);
  return pair;
});

const frontFile = join(front, 'keys.json');
const there = await readFile(frontFile, 'utf8').then(JSON.parse, () => ({ apiKeys: [] }));
const { key, sha256 } = newApiKey();
const owner = there.apiKeys.find((each) => each.name === name);
const others = there.apiKeys.filter((each) => each.name !== name);
const changed =
  owner === undefined
    ? { name, sha256: [sha256], openJobs: 1000, requestsPerMinute: 6000, highestPriority: 0, operator: true }
    : { ...owner, sha256: [owner.sha256, sha256].flat() };
const keys = { publicKey: Buffer.from(publicKey).toString('base64'), apiKeys: [...others, changed] };
await writeFile(frontFile, `${JSON.stringify(keys, undefined, 1)}\n`);
await chmod(frontFile, 0o600);
console.log(key);
