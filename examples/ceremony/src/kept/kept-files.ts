import { createStore, del, get, set, type UseStore } from 'idb-keyval';

/** The files that the page keeps on this device until they are no longer needed. */
export type KeptName = 'opened.zkey' | 'new.zkey' | 'record.json';

/** Where they are kept. Each method rejects with what the browser says when it fails. */
export interface KeptFiles {
  /** Whether they are still there after a reload; if not, why. */
  readonly lostBy?: string;
  read(name: KeptName): Promise<Blob | undefined>;
  put(name: KeptName, blob: Blob): Promise<void>;
  /** A stream whose bytes take the file's place when it is closed; undefined where only whole Blobs can be kept. */
  begin(name: KeptName): Promise<WritableStream<Uint8Array> | undefined>;
  delete(name: KeptName): Promise<void>;
}

const FOLDER = 'pippin-ceremony';
/** Milliseconds in which another document of the page, such as the one before a reload, lets go of the files. */
const LOCK_MS = 2000;

/**
 * The origin's private file system where it can be written to by streams, so that a large key is never in memory;
 * IndexedDB in browsers without, such as Safari before version 26; memory where the browser keeps nothing, as some do
 * in private windows, and while another tab has the files.
 */
export async function openKeptFiles(): Promise<KeptFiles> {
  if (!(await claimFiles())) return memoryFiles('The page is open in another tab, too');
  return (await privateFiles()) ?? (await databaseFiles()) ?? memoryFiles('The browser lets this page keep nothing');
}

/** Takes the files for as long as the document lives: two tabs would overwrite each other's. */
async function claimFiles(): Promise<boolean> {
  // Web Locks are missing outside of secure contexts, where there is no private file system either.
  if (!('locks' in navigator)) return true;
  return new Promise((resolve) => {
    const held = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(FOLDER, { signal: AbortSignal.timeout(LOCK_MS) }, held).catch(() => resolve(false));
  });
}

async function privateFiles(): Promise<KeptFiles | undefined> {
  if (!('FileSystemFileHandle' in globalThis) || !('createWritable' in FileSystemFileHandle.prototype))
    return undefined;
  try {
    const root = await navigator.storage.getDirectory();
    return filesIn(await root.getDirectoryHandle(FOLDER, { create: true }));
  } catch {
    return undefined;
  }
}

function filesIn(folder: FileSystemDirectoryHandle): KeptFiles {
  const missing = (error: unknown): undefined => {
    if (error instanceof DOMException && error.name === 'NotFoundError') return undefined;
    throw error;
  };
  const begin = async (name: KeptName): Promise<FileSystemWritableFileStream> =>
    (await folder.getFileHandle(name, { create: true })).createWritable();
  return {
    read: (name) => folder.getFileHandle(name).then((handle) => handle.getFile(), missing),
    put: async (name, blob) => blob.stream().pipeTo(await begin(name)),
    begin,
    delete: (name) => folder.removeEntry(name).catch(missing),
  };
}

async function databaseFiles(): Promise<KeptFiles | undefined> {
  let store: UseStore;
  try {
    store = createStore(FOLDER, 'files');
    await get('record.json', store);
  } catch {
    return undefined;
  }
  return {
    read: (name) => get<Blob>(name, store),
    put: (name, blob) => set(name, blob, store),
    begin: async () => undefined,
    delete: (name) => del(name, store),
  };
}

function memoryFiles(lostBy: string): KeptFiles {
  const files = new Map<KeptName, Blob>();
  return {
    lostBy,
    read: async (name) => files.get(name),
    put: async (name, blob) => void files.set(name, blob),
    begin: async () => undefined,
    delete: async (name) => void files.delete(name),
  };
}
