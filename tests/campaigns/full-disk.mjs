// Loaded before a process of the campaign shared-cache: as long as the file $PIPPIN_FULL_DISK exists, the disk takes
// only half of each file.
import { existsSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = promises;

promises.open = async (path, ...options) => {
  const file = await open(path, ...options);
  if (String(path).endsWith('.tmp') && existsSync(process.env.PIPPIN_FULL_DISK)) {
    const { writeFile } = file;
    file.writeFile = async (bytes) => {
      await writeFile.call(file, bytes.subarray(0, bytes.length >> 1));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
  }
  return file;
};
syncBuiltinESMExports();
