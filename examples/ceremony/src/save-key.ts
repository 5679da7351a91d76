import { element } from '../../groth16-commitment/src/dom.js';

/** The part of the File System Access API that Chromium has and TypeScript does not know. */
interface SavePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** A download gets its address for so long, in milliseconds: browsers begin to read at different times. */
const ADDRESS_MS = 60_000;

/**
 * Lets the visitor save the new key. Where they choose its place (Chromium), it is written there, and the file is given
 * back when all of it is. Elsewhere the browser downloads it and does not tell when that has ended: `asked`.
 */
export async function saveKey(key: Blob, suggestedName: string): Promise<File | 'asked' | 'cancelled'> {
  const picker = globalThis as SavePicker;
  if (picker.showSaveFilePicker === undefined) {
    const url = URL.createObjectURL(key);
    const link = element('a', '');
    Object.assign(link, { href: url, download: suggestedName });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), ADDRESS_MS);
    return 'asked';
  }
  try {
    const handle = await picker.showSaveFilePicker({ suggestedName });
    await key.stream().pipeTo(await handle.createWritable());
    return await handle.getFile();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    throw error;
  }
}
