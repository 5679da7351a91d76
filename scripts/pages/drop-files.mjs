/**
 * Drops files on the page as a visitor does. @param {import('playwright-core').Page} page @param {{ name: string,
 * bytes: Buffer }[]} files
 */
export async function dropFiles(page, files) {
  await page.evaluate(
    (sent) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of sent) {
        dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
      }
      for (const type of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
  );
}
